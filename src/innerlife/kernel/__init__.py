"""Plain values and functions that every room may use: time, identifiers, JSON, passages."""
