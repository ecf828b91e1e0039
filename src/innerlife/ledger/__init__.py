"""The ledger: one append-only sequence of events, of which everything else is a view (design §1, §3, §4)."""
