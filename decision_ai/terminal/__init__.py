"""The terminal: asking, showing and chatting. Only this folder and `cli.py` know rich and typer."""
