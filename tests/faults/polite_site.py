"""Fifty sites on one port of loopback, none of which may be asked too often:

    polite_site.py PAGES LOG

Prints its port. Page N is http://hH.example/page/N, H = N mod 50, and links to
pages 2N+1, 2N+2 and N/2. A host may be asked again 0.1 seconds after its last
answer, each fifth host only 0.9 seconds after it; who asks earlier is answered
429 with Retry-After: 1. LOG gets a line for each request: when it came and when
it was answered, in ms, the status, the host and the page. One request at a
time, in the order in which they came: an answer from host "sync" means that all
before it were answered, and is the line "kill" in LOG.
"""

import sys
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

HOSTS = 50


def limit_ms(host):
    return 900 if int(host[1:]) % 5 == 0 else 100


class Server(HTTPServer):
    request_queue_size = 128


class Handler(BaseHTTPRequestHandler):
    pages = 0
    log = None
    answered: dict = {}

    def log_message(self, *_):
        pass

    def send(self, status, body=b"", **headers):
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        came = time.monotonic_ns() / 1e6
        host = self.headers["Host"].partition(".")[0]
        if host == "sync":
            print("kill", file=self.log, flush=True)
            self.send(200)
            return
        page = int(self.path.rpartition("/")[2])
        before = self.answered.get(host)
        is_early = before is not None and came < before + limit_ms(host)
        status = 429 if is_early else 200 if page < self.pages else 404
        try:
            if is_early:
                self.send(429, Retry_After="1")
            else:
                self.send(status, self.links(page))
            self.wfile.flush()
        except OSError:
            pass  # whoever asked was killed; it was asked anyway
        now = self.answered[host] = time.monotonic_ns() / 1e6
        print(f"{came:.3f} {now:.3f} {status} {host} {page}", file=self.log,
              flush=True)

    def links(self, page):
        found = (2 * page + 1, 2 * page + 2, page // 2)
        return "".join(f"http://h{one % HOSTS}.example/page/{one}\n"
                       for one in found if one < self.pages).encode()


if __name__ == "__main__":
    Handler.pages = int(sys.argv[1])
    Handler.log = open(sys.argv[2], "w")
    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
