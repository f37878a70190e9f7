"""The messages of a chat, grouped by who speaks; `container` joins them into unions and the envelope."""
