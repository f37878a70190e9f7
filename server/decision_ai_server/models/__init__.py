"""Language models: whether an endpoint works, and one that runs on this machine.

`python -m decision_ai_server.models check | fetch | serve-local`; `decision-ai models …` is the same.
"""
