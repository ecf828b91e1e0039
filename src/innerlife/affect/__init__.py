"""How the person seems, from evidence: cues, signals, trajectory, and what follows for manner. Never a trait, never said."""
