"""Validated model decisions and the client that fetches them (contract of the model-client seed)."""
