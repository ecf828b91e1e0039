"""What cues alone say of a message after an answer, a rule of thumb a file: marks that the heads weigh. Pure."""
