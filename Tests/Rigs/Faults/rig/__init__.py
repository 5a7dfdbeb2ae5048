"""Shared parts of the fault tooling: running the tool, reading traces, judging the state after a run."""
