"""What the tests share."""

import pytest
from crawls import Site


@pytest.fixture
def site(tmp_path):
    site = Site(tmp_path)
    yield site
    site.close()
