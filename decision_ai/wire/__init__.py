"""Frames and the order of a conversation, without any I/O; client and server use the same code."""
