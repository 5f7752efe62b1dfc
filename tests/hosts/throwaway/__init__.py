"""Throw-away hosts on one machine: their images, their making and their end."""
