"""Each page of a site once, with how many links it has."""

from urllib.parse import urlsplit

import scrapy


class LinksSpider(scrapy.Spider):
    name = "links"

    def __init__(self, site="http://127.0.0.1:8000/", **kwargs):
        super().__init__(**kwargs)
        self.start_urls = [site]
        self.allowed_domains = [urlsplit(site).hostname]

    def parse(self, response):
        links = response.css("a::attr(href)").getall()
        yield {"url": response.url, "links": len(links)}
        yield from response.follow_all(links)
