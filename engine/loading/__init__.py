"""Where a model's small files are found: a folder or the Hub, and what each file says."""
