"""Weights of linear heads over embeddings, one file a model: written by `make bench-detectors ARGS=--fit`."""
