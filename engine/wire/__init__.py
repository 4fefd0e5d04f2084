"""Wire formats: how models write their output, as data, and the interpreter that reads it."""
