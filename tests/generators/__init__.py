"""Seeded generators of templates with their inputs, of conversations and of functions, for differential tests."""
