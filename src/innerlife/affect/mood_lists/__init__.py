"""Words of mood, a file a language; a new file here is a new language for `innerlife.affect.moods`.

Everything in them is small and without accents, as `moods` folds what it reads. Chosen by hand.
"""
