"""The decision-ai server: sessions, storage, modellers and the web API."""
