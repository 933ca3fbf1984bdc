"""seenset for Scrapy: a crawl that survives kill -9.

    SCHEDULER = "seenset.scrapy.Scheduler"
    DUPEFILTER_CLASS = "seenset.scrapy.DupeFilter"
    JOBDIR = "crawl"
    FEED_STORAGES = {"": "seenset.scrapy.FileFeedStorage"}

docs/scrapy.md has the settings and what is promised.
"""

from .dupefilter import DupeFilter
from .feeds import FileFeedStorage
from .options import StartError
from .scheduler import Scheduler

__all__ = ["DupeFilter", "FileFeedStorage", "Scheduler", "StartError"]
