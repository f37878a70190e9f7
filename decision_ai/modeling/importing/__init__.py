"""Models from elsewhere, as model files: PuLP scripts, LP and MPS files."""
