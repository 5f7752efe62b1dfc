"""Where the programs that are started live."""
