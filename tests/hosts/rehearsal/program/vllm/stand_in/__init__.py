"""What makes this a stand-in."""
