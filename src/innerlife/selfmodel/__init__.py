"""Who the companion is. Its origin so far: the name and the birth date, given once."""
