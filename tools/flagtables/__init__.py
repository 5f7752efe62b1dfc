"""Turns dumps of vLLM's real parsers into the tables that the collection ships."""
