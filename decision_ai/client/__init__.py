"""The client: schemas (the floor), the connection to a server, and the half of a turn that runs here."""
