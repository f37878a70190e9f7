"""REST and WebSocket endpoints."""
