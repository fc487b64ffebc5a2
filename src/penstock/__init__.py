"""Penstock: a whole data platform in one `pip install`."""


def __getattr__(name: str) -> str:
    """`__version__`, read when it is asked for: finding it takes as long as all the rest of `penstock --help`."""
    if name != "__version__":
        raise AttributeError(name)
    from importlib.metadata import version

    return version("penstock")
