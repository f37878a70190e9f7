"""Start the server of a local model: check what it needs, and become its process."""

import os
import sys
from importlib.util import find_spec

from decision_ai.client.settings import child_environment
from decision_ai.errors import DecisionAIError
from decision_ai_server.models.serving import Job
from decision_ai_server.settings import LocalModelSettings, is_loopback


def refuse_what_cannot_be_served(host: str, settings: LocalModelSettings) -> None:
    """Look before a large file is read.

    Raises:
        DecisionAIError: if the extra is missing, or strangers could use the model.
    """
    if find_spec("xllamacpp") is None:
        raise DecisionAIError(
            "the extra `local` is not installed; run: python -m pip install 'decision-ai[local]'"
        )
    if not is_loopback(host) and settings.local_api_key is None:
        raise DecisionAIError(
            f"at {host} others could use the model without a key; set DECISION_AI_LOCAL_API_KEY, or leave "
            "--host at 127.0.0.1"
        )


def become_the_server(job: Job) -> None:
    """Replace this process by the server of a model; the process id stays.

    The environment that OpenMP reads must be right when a process begins.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    arguments = [sys.executable, "-m", "decision_ai_server.models.serving", job.model_dump_json()]
    os.execve(sys.executable, arguments, child_environment({"OMP_WAIT_POLICY": "PASSIVE"}))
