"""Measurements, each beside a plain alternative in the same run. `make bench-NAME`; results in `build/bench/`."""
