"""Shared parts of the fault tooling: running the tool, reading traces, judging what a run left."""
