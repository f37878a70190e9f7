"""A model as a file of another form: values in, text out."""
