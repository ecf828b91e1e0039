"""Cues by language, one file each, such as `en.toml`. A new file here is a new language; nothing else is told of it."""
