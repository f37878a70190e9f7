"""The staff scheduling example: `model.py` and `data.json`."""
