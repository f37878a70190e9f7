"""The tools a modeller can call; each returns text, a change set to propose, or a solve to ask for."""
