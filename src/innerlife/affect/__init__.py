"""How the person seems: cues, signals, trajectory, and what follows for manner. Never a trait, never announced."""
