"""The folder of a crawl, opened: what is wrong is said before it starts.

    queue       requests that wait, and what was seen
    seen        what was seen, where DupeFilter is used without Scheduler
    large       requests that are too long for the queue, a file each
    inflight    which requests are being fetched
    spider      the name of the spider whose callbacks they are for
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import seenset

from .options import Options, StartError

if TYPE_CHECKING:
    from .turns import Turns

# Leases are this process's own: they end when it acks, nacks or ends.
FOR_EVER = 1e9


def open_queue(options: Options, name: str,
               turns: "Turns | None" = None) -> seenset.Queue:
    """`turns` are those of a new one; another goes on as it was made."""
    path = None if options.folder is None else options.folder / name
    is_new = path is None or not (path / "MANIFEST").exists()
    try:
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if options.verify and not is_new:
                seenset.Queue.verify(path, keyed=options.secret)
        return seenset.Queue(
            path, options.capacity, options.fp_rate, exact=options.exact,
            window=options.window, keyed=options.secret,
            durability=options.durability,  # type: ignore[arg-type]
            interval=options.interval, lease=FOR_EVER,
            **(_rules(turns) if turns is not None and is_new else {}))
    except (seenset.SeensetError, OSError, ValueError) as error:
        raise StartError(explain(error, path)) from error


def _rules(turns: "Turns") -> dict[str, Any]:
    return {"polite": turns.delay, "per_host": turns.per_host,
            "from_start": True}


def explain(error: Exception, path: object) -> str:
    """What to do, in a sentence."""
    if isinstance(error, seenset.InUseError):
        return (f"{path} is in use: another process crawls with this folder, "
                "or another spider of this one. Give each a JOBDIR (or "
                "SEENSET_DIR) of its own.")
    if isinstance(error, seenset.DamagedError):
        return (f"{path} is damaged: {error}. To save what is left: "
                f"python -m seenset.scrapy repair {path}")
    if isinstance(error, seenset.MismatchError):
        return (f"{path} was made with other settings of SEENSET_CAPACITY, "
                f"SEENSET_FP_RATE, SEENSET_EXACT or SEENSET_WINDOW: {error}. "
                "Set them as they were, or leave them out.")
    if isinstance(error, seenset.SecretError):
        return (f"{path} was made with another SEENSET_SECRET, or with none, "
                "or one is missing now")
    return f"{path} cannot be used: {error}"


def refuse_other_crawl(options: Options) -> None:
    """A crawl of Scrapy's own scheduler would be forgotten silently."""
    if options.folder is None or options.jobdir is None or options.redis:
        return
    if (options.folder / "queue").exists():
        return
    theirs = options.jobdir / "requests.queue"
    if theirs.is_dir() and any(theirs.iterdir()):
        raise StartError(
            f"{options.jobdir} has a crawl of Scrapy's own scheduler. To go on "
            f"with it: python -m seenset.scrapy.rescue {options.jobdir} (in "
            "the project's folder); to begin anew, take another JOBDIR.")


def refuse_other_spider(folder: Path | None, name: str) -> None:
    """Requests name methods of their spider; another has some of the same
    names. A folder without a name, as rescue makes it, takes this one."""
    if folder is None:
        return
    path = folder / "spider"
    try:
        found = path.read_text() if path.exists() else ""
        if not found:
            new = path.with_suffix(".new")  # a kill leaves no half of a name
            new.write_text(name)
            new.replace(path)
    except (OSError, ValueError) as error:
        raise StartError(f"{path} cannot be used: {error}") from error
    if found and found != name:
        raise StartError(
            f"{folder} is of the spider {found!r}, whose callbacks its "
            f"requests are for, and this is {name!r}. Give each a JOBDIR (or "
            f"SEENSET_DIR) of its own. If the spider was renamed, remove "
            f"{path}.")


def find(path: Path, name: str = "queue") -> Path:
    """The folder of a queue, of a JOBDIR, a SEENSET_DIR or itself."""
    for folder in (path / "seenset" / name, path / name, path):
        if (folder / "MANIFEST").exists():
            return folder
    if name == "queue":
        return find(path, "seen")
    return path
