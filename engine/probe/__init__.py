"""Probes: one question to a template each, answered by rendering it."""
