"""Benchmarks: one script a question, run as ``python -m benchmarks.NAME``; each prints a table and can write JSON."""
