"""Who the companion is, in relation to one person: origin, portraits, what it knows, minds, pursues and has learned.

One noun a file: each folds its rows (`journal`) and has the use-case that writes them. Rules that decide stand apart
and are pure: `governance`, `merge`, `gates`, `sizes`, `due`, `review`, `promises`.
"""
