"""Lines of a server's log turned into a cause and a remedy: pure, without I/O."""
