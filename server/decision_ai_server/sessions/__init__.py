"""Running sessions: accepting messages, advancing turns, telling everybody who watches."""
