"""Reads a vLLM that is installed or on the path: its parser, its configuration classes, its registries."""
