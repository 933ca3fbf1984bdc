"""The four lines that matter, and politeness."""

SCHEDULER = "seenset.scrapy.Scheduler"
DUPEFILTER_CLASS = "seenset.scrapy.DupeFilter"
JOBDIR = "job"
FEED_STORAGES = {"": "seenset.scrapy.FileFeedStorage"}

SPIDER_MODULES = ["links.spiders"]
REQUEST_FINGERPRINTER_IMPLEMENTATION = "2.7"
ROBOTSTXT_OBEY = True
LOG_LEVEL = "INFO"
