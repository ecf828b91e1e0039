"""Language models and embedding models, behind ports."""
