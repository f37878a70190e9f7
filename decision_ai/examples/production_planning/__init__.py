"""The production planning example: `model.py` and `data.json`."""
