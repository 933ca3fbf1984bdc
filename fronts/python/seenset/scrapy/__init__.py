"""seenset for Scrapy: a crawl that survives kill -9.

    SCHEDULER = "seenset.scrapy.Scheduler"
    DUPEFILTER_CLASS = "seenset.scrapy.DupeFilter"
    JOBDIR = "crawl"

docs/scrapy.md has the settings and what is promised.
"""

from .dupefilter import DupeFilter
from .options import StartError
from .scheduler import Scheduler

__all__ = ["DupeFilter", "Scheduler", "StartError"]
