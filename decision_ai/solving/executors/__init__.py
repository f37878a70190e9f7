"""Where jobs run: the port (`base`) and its implementations."""
