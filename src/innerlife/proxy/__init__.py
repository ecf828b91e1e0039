"""The proxy: one port between any chat program and any language model (design §8)."""
