"""The model of a session as a file of another form."""

from pathlib import Path

from decision_ai.client.request_handler import RequestHandler
from decision_ai.errors import DecisionAIError
from decision_ai.modeling.exporting.exports import ExportFormat, format_of
from decision_ai.modeling.exporting.name_map import SIDECAR_SUFFIX, names_in_comments, sidecar_text


class ExportMethods:
    """What a session can be written as."""

    id: str
    _requests: RequestHandler

    def export(
        self,
        path: str | Path,
        *,
        format: ExportFormat | None = None,
        version: str | int | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Write the model, as it runs, to a file.

        An LP or MPS file has names that solvers take; its sidecar `<file>.names.json` leads back to yours.

        Args:
            path: where to; `.py .json .lp .mps .tex .md .xlsx` say the format.
            format: the format, where the suffix does not say it.
            version: a branch, a number or an id of a version; None is the present one.
            overwrite: whether a file that is there may be replaced.

        Returns:
            The path.

        Raises:
            DecisionAIError: if the file exists, cannot be written, or its suffix says no format.
            ServerRefused: if there is no such version, or the model does not build on its data.
        """
        target = Path(path).expanduser()
        wanted = format or format_of(target)
        refuse_existing(target, wanted, overwrite=overwrite)
        write_export(target, wanted, self._exported(wanted, version), overwrite=overwrite)
        return target

    def export_text(self, format: ExportFormat, *, version: str | int | None = None) -> str:
        """The model, as it runs, as text.

        Args:
            format: `py`, `json`, `lp`, `mps`, `latex` or `md`.
            version: a branch, a number or an id of a version; None is the present one.

        Raises:
            DecisionAIError: if the format is no text.
            ServerRefused: if there is no such version, or the model does not build on its data.
        """
        if format == "xlsx":
            raise DecisionAIError("a workbook is no text; write it to a file with export('model.xlsx')")
        return self._exported(format, version).decode()

    def _exported(self, format: ExportFormat, version: str | int | None) -> bytes:
        return self._requests.export(self.id, format, None if version is None else str(version))


def refuse_existing(path: Path, format: ExportFormat, *, overwrite: bool) -> None:
    """Refuse to replace a file, before anything is worked out for it.

    Raises:
        DecisionAIError: if a file of the export is there.
    """
    for target in _targets(path, format):
        if target.exists() and not overwrite:
            raise DecisionAIError(f"{str(target)!r} exists already; choose another name")


def write_export(path: Path, format: ExportFormat, content: bytes, *, overwrite: bool) -> None:
    """Write an export and, for LP and MPS, the sidecar with its names.

    Raises:
        DecisionAIError: if a file exists or cannot be written.
    """
    refuse_existing(path, format, overwrite=overwrite)
    contents = [content]
    if len(_targets(path, format)) == 2:
        names = names_in_comments(content.decode().splitlines())
        assert names is not None  # we wrote it
        contents.append(sidecar_text(names).encode())
    for target, bytes_ in zip(_targets(path, format), contents, strict=True):
        try:
            with target.open("wb" if overwrite else "xb") as file:
                file.write(bytes_)
        except OSError as error:
            raise DecisionAIError(f"{str(target)!r} cannot be written: {error.strerror}") from error


def _targets(path: Path, format: ExportFormat) -> list[Path]:
    sidecar = [path.with_name(path.name + SIDECAR_SUFFIX)] if format in ("lp", "mps") else []
    return [path, *sidecar]
