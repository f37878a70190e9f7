"""The vrp time windows example: `model.py` and `data.json`."""
