"""What several tests need."""

import os

import pytest


def command():
    """The path of the command seenset."""
    found = os.environ.get("SEENSET_COMMAND", "")
    if not os.access(found, os.X_OK):
        pytest.skip("SEENSET_COMMAND does not name the command")
    return found
