"""Differential testing: the same case through turnwire and through the installed Transformers, and what differs."""
