"""How to help this person: feedback noticed in conversations, rules inferred from it, skills that proved themselves.

Detectors (a file each) read a window of turns; `patterns` counts what three conversations have in common; `rules` and
`skills` decide what follows. All of that is pure. Cues are a file a language (`cues/`). What the person said they want
is a preference and lives elsewhere (promise L3); a rule is inferred, may be wrong, and says so.
"""
