"""Who is calling."""
