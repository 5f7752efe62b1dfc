"""Will this model, with these settings, run on these GPUs? Pure: arithmetic and tables, no host is asked."""
