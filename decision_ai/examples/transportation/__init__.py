"""The transportation example: `model.py` and `data.json`."""
