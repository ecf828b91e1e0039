"""The guard's languages, one file each. A new file here is a new language; nothing else has to be told of it."""
