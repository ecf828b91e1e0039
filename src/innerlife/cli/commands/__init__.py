"""One module for each command (or small family): it binds a click command to the name `command`.

A new command is one new file here. Its name is the module's; `ORDER` (optional) is its place in the overview.
"""
