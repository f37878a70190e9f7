"""What a notebook shows: the approval card, displays and plots."""
