"""A site on loopback, for crawls that are tested: `python site.py HITS` prints
its address, and writes a line to the file HITS for each request that it gets.
The same pages are at 127.0.0.2 to 127.0.0.9, for crawls of several hosts.

    /page/N?of=M       links to pages 2N+1 and 2N+2, and to others; M pages
    /moved/N           redirects to /target/N
    /flaky/N           fails twice with status 503, then answers
    /missing           404
    /broken            closes the connection
    anything else      an empty page
"""

import sys
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from urllib.parse import parse_qs, urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    counts: Counter = Counter()
    lock = Lock()
    hits = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        with self.lock:
            self.hits.write(f"{self.path}\n")
            self.hits.flush()
            self.counts[self.path] += 1
            count = self.counts[self.path]
        parts = urlsplit(self.path)
        kind, _, rest = parts.path[1:].partition("/")
        if kind == "broken":
            self.close_connection = True
            return
        answer = getattr(self, f"answer_{kind}", self.answer_other)
        answer(rest, parse_qs(parts.query), count)

    do_POST = do_GET

    def send(self, status, body="", **headers):
        content = f"<html><body>{body}</body></html>".encode()
        if self.command == "POST":
            self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def answer_page(self, rest, query, _):
        number, pages = int(rest), int(query["of"][0])
        links = {2 * number + 1, 2 * number + 2, number // 2,
                 (number * 7 + 3) % pages}
        self.send(200, "".join(f'<a href="/page/{link}?of={pages}">x</a>'
                               for link in sorted(links) if link < pages))

    def answer_moved(self, rest, *_):
        self.send(302, Location=f"/target/{rest}")

    def answer_flaky(self, _, __, count):
        self.send(200 if count > 2 else 503)

    def answer_missing(self, *_):
        self.send(404)

    def answer_other(self, *_):
        self.send(200)


if __name__ == "__main__":
    Handler.hits = open(sys.argv[1], "a")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    for number in range(2, 10):
        other = ThreadingHTTPServer(
            (f"127.0.0.{number}", server.server_port), Handler)
        Thread(target=other.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
