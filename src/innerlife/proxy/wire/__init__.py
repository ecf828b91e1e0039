"""Wire formats, one file each, and translations, one file a pair. Nothing here does input or output."""
