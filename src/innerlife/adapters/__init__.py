"""The outside world, behind ports: databases, keys, models."""
