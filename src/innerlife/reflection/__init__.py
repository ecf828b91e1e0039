"""Thinking between conversations: the stages that read what was lived and write what follows from it.

The only room that joins its siblings: it reads conversations, asks a model or a rule, and passes plain values to the
self-model. A stage a file; what it concluded stands in a `Reflected` event, with everything it read as causes.
"""
