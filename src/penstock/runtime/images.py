"""Several programs on one data folder, one after the other: processors, the component, processors again.

What one leaves in `out/` the next finds in `in/`. Only the component speaks for the job: its state, usage and result
are kept aside while others run, and are back in `out/` at the end. Those of processors go.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, TypeVar

from penstock.runtime.written import remove_entry

_OWN = ("state.json", "usage.json", "result.json")
_FRESH = ("tables", "files")


class Image(Protocol):
    @property
    def is_main(self) -> bool:
        """Return whether it is the component itself."""
        ...


T = TypeVar("T", bound=Image)
R = TypeVar("R")


def run_images(images: Sequence[T], folder: Path, run: Callable[[T], R]) -> list[R]:
    """Return what `run` said of each; it writes the image's configuration and starts it. Its error ends the chain."""
    if len(images) == 1:
        return [_run_alone(images[0], folder, run)]
    said: list[R] = []
    remove_entry(_get_aside(folder))
    try:
        for number, image in enumerate(images):
            if number:
                turn_over(folder)
            said.append(run(image))
            _put_aside(folder, is_kept=image.is_main)
    finally:
        _put_back(folder)
    return said


def _run_alone(image: T, folder: Path, run: Callable[[T], R]) -> R:
    """Run the last program: there is no next one to prepare the folder for."""
    try:
        said = run(image)
    finally:
        _see_to_out(folder)
    for file in (folder / "out" / name for name in _OWN):
        if not _is_own(file):
            remove_entry(file)
    return said


def turn_over(folder: Path) -> None:
    """`out/` becomes `in/`, and there is a fresh `out/`."""
    remove_entry(folder / "in")
    (folder / "out").rename(folder / "in")
    for name in _FRESH:
        (folder / "in" / name).mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "out" / name).mkdir(parents=True, mode=0o700)


def _put_aside(folder: Path, *, is_kept: bool) -> None:
    _see_to_out(folder)
    aside = _get_aside(folder)
    aside.mkdir(exist_ok=True, mode=0o700)
    for name in _OWN:
        file = folder / "out" / name
        if is_kept and _is_own(file):
            file.rename(aside / name)
        else:
            remove_entry(file)


def _put_back(folder: Path) -> None:
    _see_to_out(folder)
    aside = _get_aside(folder)
    for name in _OWN:
        if (aside / name).exists():
            remove_entry(folder / "out" / name)
            (aside / name).rename(folder / "out" / name)
    remove_entry(aside)


def _is_own(file: Path) -> bool:
    """A link may lead outside the data folder."""
    return file.is_file() and not file.is_symlink()


def _get_aside(folder: Path) -> Path:
    """Return a folder next to the data folder, where no program can put something else in its place."""
    return folder.with_name(f"{folder.name}.kept")


def _see_to_out(folder: Path) -> None:
    """Check `out/`: it must be a folder and not a link: files would be moved to where the link leads."""
    out = folder / "out"
    if out.is_symlink() or not out.is_dir():
        remove_entry(out)
        out.mkdir(mode=0o700)
