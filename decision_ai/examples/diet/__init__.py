"""The diet example: `model.py` and `data.json`."""
