"""Turning a conversation into the next step: knows ports only; no web, no store, no concrete modeller."""
