"""The guard: tells sentences that announce a feeling noticed in the user, or the machinery, from all others."""
