"""Where hostile programs run: an allow-list over the syntax tree, then a fenced child process."""
