"""The embedded store: SQLCipher for the Core and the runtime, encrypted files for blobs, the key record."""
