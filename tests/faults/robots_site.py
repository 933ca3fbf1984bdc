"""A site on loopback that says how it may be crawled, and records how it was:

    robots_site.py PAGES LOG [bare]

Prints its port. /page/N links to pages 2N+1 and 2N+2, to /private/N and to
/private/open/N. Its robots.txt forbids a crawler called seenset-example-crawler
/private/ but not /private/open/, and asks it for 0.1 seconds between two
requests; of all others it asks for other things. Every fifth page, and
robots.txt, answer the first time they are asked 429 or 503 in turn, with
Retry-After: 1. "bare": there is no robots.txt.

LOG gets a line for each request: when it came and was answered, in ms, the
least time in ms after the answer before for this one, the status and the path.
"""

import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

ROBOTS = """User-agent: other
User-agent: *
Disallow: /page/
Crawl-delay: 9

User-agent: Seenset-Example-Crawler
Disallow: /private/
Allow: /private/open/
Crawl-delay: 0.1
"""
DELAY_MS = 100


class Handler(BaseHTTPRequestHandler):
    pages, log, robots = 0, None, ROBOTS
    asked: set = set()
    answered, wanted, refusals = 0.0, 0, 0

    def log_message(self, *_):
        pass

    def is_refused(self):
        """It is asked for the first time, and is one of some."""
        is_first = self.path not in self.asked
        self.asked.add(self.path)
        number = self.path.rpartition("/")[2]
        return is_first and (number == "robots.txt" or (
            self.path.startswith("/page/") and int(number) % 5 == 4))

    def page(self):
        if self.path == "/robots.txt":
            return (200, self.robots) if self.robots else (404, "")
        number = self.path.rpartition("/")[2]
        if not number.isdigit():
            return 404, ""
        number = int(number)
        links = ["/private/%d" % number, "/private/open/%d" % number]
        links += ["/page/%d" % one for one in (2 * number + 1, 2 * number + 2)
                  if one < self.pages]
        return 200, "".join('<a href="%s">x</a>\n' % link for link in links)

    def do_GET(self):
        site, came = type(self), time.monotonic_ns() / 1e6
        wanted, wants = site.wanted, DELAY_MS
        if self.is_refused():
            site.refusals += 1
            status, body, wants = (429, 503)[self.refusals % 2], "", 1000
        else:
            status, body = self.page()
        # Recorded before it is sent: the crawler cannot have it sooner.
        site.answered, site.wanted = time.monotonic_ns() / 1e6, wants
        print(f"{came:.3f} {site.answered:.3f} {wanted} {status} {self.path}",
              file=self.log, flush=True)
        self.send_response_only(status)
        if wants > DELAY_MS:
            self.send_header("Retry-After", "1")
        self.send_header("Content-Length", str(len(body)))
        try:
            self.end_headers()
            self.wfile.write(body.encode())
            self.wfile.flush()
        except OSError:
            pass  # the crawler was killed; it has asked anyway


if __name__ == "__main__":
    Handler.pages = int(sys.argv[1])
    Handler.log = open(sys.argv[2], "w")
    Handler.robots = "" if sys.argv[3:] == ["bare"] else ROBOTS
    server = HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
