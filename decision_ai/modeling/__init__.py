"""The model file: how it is declared, read as components, and changed by diffs. Knows no solver."""
