"""Thinking in the background: what is to be thought about, when there is leisure for it, and what comes of it.

    events ──► QueueView ──► Runner ──► Gate (idle?) ──► Thinker (a model) ──► [Draft] + Outcome ──► ledger
                                                └─ a chat request cuts the call; the job is still there

A job is no row of its own: it exists while a stage and a subject have no outcome (`view`). A stage is one file
(`stage`). A model's answer is a value only after it has been checked (`structured`, `quotes`), and a model plays a
role only after it has been tried (`probes`).
"""
