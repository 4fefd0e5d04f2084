"""Templates: the sandbox, rendering, generation spans, and what a template's text tells about it."""
