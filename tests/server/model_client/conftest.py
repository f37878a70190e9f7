"""A real server of a local language model."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))  # for the modules beside the tests
from local_llm import LocalLlm, serving
from random_gguf import write_random_gguf

# Where only the core is installed.
collect_ignore = [] if find_spec("openai") else ["test_sdk.py"]


@pytest.fixture(scope="session")
def random_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A language model of half a megabyte."""
    return write_random_gguf(tmp_path_factory.mktemp("models") / "random.gguf")


@pytest.fixture(scope="session")
def local_llm(random_model: Path, clean_environment: None) -> Iterator[LocalLlm]:
    """llama.cpp's server over the random model, shared by all tests: it answers one request at a time."""
    with serving(random_model) as server:
        yield server
