"""A site of some thousand pages on this machine: python3 serve.py [PAGES]"""

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGES = int(sys.argv[1]) if len(sys.argv) > 1 else 3000


class Page(BaseHTTPRequestHandler):
    """Page N links to 2N+1 and 2N+2, and back."""

    def do_GET(self):
        name = self.path.strip("/") or "0"
        if not name.isdigit() or int(name) >= PAGES:
            self.send_error(404)
            return
        number = int(name)
        links = (2 * number + 1, 2 * number + 2, number // 2,
                 number * 7 % PAGES)
        body = "".join(f'<a href="/{link}">{link}</a>\n'
                       for link in links if link < PAGES).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    port = int(sys.argv[2]) if len(sys.argv) > 2 else 8000
    server = ThreadingHTTPServer(("127.0.0.1", port), Page)
    print(f"http://127.0.0.1:{server.server_port}/ has {PAGES} pages",
          flush=True)
    server.serve_forever()
