"""Innerlife: a local companion with an inner life that its person can read, dispute, correct and erase."""

__version__ = "0.1.0"
