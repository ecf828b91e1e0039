"""Thinking about what was lived, a stage a file; here alone rooms that do not know one another are joined."""
