"""The version of the distribution; hatchling, the wire and the command line read it here."""

__version__ = "0.1.0"
