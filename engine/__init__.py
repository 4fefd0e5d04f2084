"""Chat messages to the exact text a language model was trained on, and back, without Transformers."""
