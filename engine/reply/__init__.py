"""Model output back into messages: replies, their events, and Transformers' response templates."""
