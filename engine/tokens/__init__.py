"""From text to ids and back: the tokenizer as Transformers builds it, padding, truncation, masks, sanitising."""
