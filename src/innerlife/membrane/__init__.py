"""The membrane: one chat turn on its way in (identified, recorded, given what is remembered) and on its way out.

Every surface that talks (the proxy, `say`, `chat`) goes through here, so that all of them record and recall alike.
"""
