"""The guard: tells sentences that announce a feeling noticed in the user, or speak of the machinery, from all others."""
