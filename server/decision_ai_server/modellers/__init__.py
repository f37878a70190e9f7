"""Adapters of the modeller port."""
