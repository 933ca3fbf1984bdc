"""Where a crawl in Redis is: redis://[[USER]:PASSWORD@]HOST[:PORT]/NAME, as the
command reads it."""

import re
from dataclasses import dataclass, field

_FORM = re.compile(
    r"redis://(?:(?P<user>[^:/]*):(?P<password>[^/]*)@)?"
    r"(?:\[(?P<ip>[^]/]+)\]|(?P<host>[^][:/@]+))"
    r"(?::(?P<port>[0-9]{1,5}))?/(?P<name>[^{}/?#]{1,255})")


@dataclass(frozen=True)
class Address:
    host: str
    port: int
    name: str  # of the crawl's own key
    user: str | None = None
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        """For messages: without the password."""
        return f"redis://{self.host}:{self.port}/{self.name}"


def read_address(text: object) -> Address | None:
    """None: it is not one."""
    found = _FORM.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        return None
    port = int(found["port"] or 6379)
    if not 0 < port < 65536:
        return None
    return Address(found["ip"] or found["host"], port, found["name"],
                   found["user"] or None, found["password"])
