"""The knapsack example: `model.py` and `data.json`."""
