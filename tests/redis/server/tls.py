"""seenset queue ... rediss://HOST:PORT/NAME: a crawl in servers that speak TLS.
The certificates are made by openssl, for this test alone."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

from harness import COMMAND, Client, Server, free_port, keys

PATIENCE = 60


def needs_tls():
    """Skips the file if the command, or the machine, lacks what it needs."""
    said = subprocess.run(
        [COMMAND, "queue", "push", "--wait=0", "rediss://127.0.0.1:1/x"],
        stdin=subprocess.DEVNULL, capture_output=True).stderr
    if b"built without" in said:
        print("SKIPPED: tls was not tested: the command was built without "
              "libhiredis or OpenSSL")
        sys.exit(77)
    if shutil.which("openssl") is None:
        print("SKIPPED: tls was not tested: there is no openssl to make "
              "certificates")
        sys.exit(77)


class Papers:
    """A folder with an authority, and what it has signed."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="seenset-tls-")
        for name in ("ca", "other"):
            self.openssl("req", "-x509", "-newkey", "ec", "-pkeyopt",
                         "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                         "-subj", "/CN=" + name, "-keyout", self[name + ".key"],
                         "-out", self[name + ".crt"])
        self.sign("server", "IP:127.0.0.1,DNS:localhost,DNS:crawl.example")
        self.sign("far", "DNS:far.example")
        self.sign("client", "DNS:client.example")
        self.sign("old", "IP:127.0.0.1", days="-1")

    def __getitem__(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words):
        done = subprocess.run(["openssl", *words], capture_output=True,
                              cwd=self.folder)
        assert done.returncode == 0, done.stderr.decode()

    def sign(self, name, names, days="2"):
        with open(self[name + ".ext"], "w") as file:
            file.write("subjectAltName=%s\n" % names)
        self.openssl("req", "-newkey", "ec", "-pkeyopt",
                     "ec_paramgen_curve:P-256", "-nodes", "-subj",
                     "/CN=" + name, "-keyout", self[name + ".key"], "-out",
                     self[name + ".csr"])
        self.openssl("x509", "-req", "-in", self[name + ".csr"], "-CA",
                     self["ca.crt"], "-CAkey", self["ca.key"], "-CAcreateserial",
                     "-days", days, "-extfile", self[name + ".ext"], "-out",
                     self[name + ".crt"])

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class TlsServer(Server):
    """Its port for TLS is tls_port; harness.py asks at the other one."""

    def __init__(self, papers, name="server", clients="no", *more):
        self.tls_port = free_port()
        super().__init__("--tls-port", str(self.tls_port), "--tls-cert-file",
                         papers[name + ".crt"], "--tls-key-file",
                         papers[name + ".key"], "--tls-ca-cert-file",
                         papers["ca.crt"], "--tls-auth-clients", clients, *more)


def run(words, lines=(), environment=None):
    done = subprocess.run([COMMAND, "queue", *words],
                          input="".join(line + "\n" for line in lines).encode(),
                          capture_output=True, timeout=PATIENCE,
                          env=environment)
    return (done.returncode, done.stdout.decode().splitlines(),
            done.stderr.decode())


def address(port, host="127.0.0.1", secret=""):
    return "rediss://%s%s:%d/crawl" % (secret, host, port)


class WithPapers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.papers = Papers()
        cls.ca = ["--tls-ca", cls.papers["ca.crt"]]

    @classmethod
    def tearDownClass(cls):
        cls.papers.remove()

    def serve(self, *words):
        server = TlsServer(self.papers, *words)
        self.addCleanup(server.stop)
        return server

    def refused(self, words, reason, lines=("a",)):
        """It is an error at once: no 30 seconds of trying."""
        status, found, said = run(words, lines)
        self.assertEqual((status, found), (2, []), said)
        self.assertIn(reason, said)
        self.assertNotIn("given up", said)


class Crawls(WithPapers):
    def test_push_pop_ack_stat(self):
        server = self.serve()
        at = address(server.tls_port)
        urls = keys(20000)
        self.assertEqual(run(["push", *self.ca, at], urls), (0, [], ""))
        done = run(["pop", "-n", "20000", *self.ca, at])
        self.assertEqual((done[0], done[2]), (0, ""))
        self.assertEqual(sorted(line.split("\t")[1] for line in done[1]),
                         sorted(urls))
        self.assertEqual(run(["nack", *self.ca, at], done[1][:50]), (0, [], ""))
        self.assertEqual(run(["ack", *self.ca, at], done[1][50:]), (0, [], ""))
        found = run(["stat", *self.ca, at])
        self.assertIn("acked            19,950", "\n".join(found[1]))
        # In clear it is the same crawl.
        plain = "redis://127.0.0.1:%d/crawl" % server.port
        self.assertEqual(len(run(["pop", "-n", "99", "--ack", plain])[1]), 50)

    def test_items_larger_than_a_record_of_tls(self):
        at = address(self.serve().tls_port)
        urls = ["http://a.example/" + "x" * 900000, "http://b.example/"]
        self.assertEqual(run(["push", *self.ca, at], urls), (0, [], ""))
        self.assertEqual(sorted(run(["pop", "-n", "9", "--ack", *self.ca,
                                     at])[1]), sorted(urls))

    def test_password(self):
        server = self.serve()
        with_admin = Client(server.port)
        with_admin("CONFIG", "SET", "requirepass", "secret")
        with_admin.close()
        self.refused(["push", *self.ca, address(server.tls_port,
                                                secret=":wrong@")],
                     "WRONGPASS")
        self.assertEqual(run(["push", *self.ca, address(
            server.tls_port, secret=":secret@")], ["a"]), (0, [], ""))

    def test_replicas(self):
        server = self.serve()
        replica = self.serve()
        client = Client(replica.port)
        client("REPLICAOF", "127.0.0.1", server.port)
        client.close()
        self.assertEqual(run(["push", "--replicas", "1", *self.ca,
                              address(server.tls_port)], ["a"]), (0, [], ""))

    def test_cluster(self):
        """Its nodes are those at the ports for TLS."""
        server = self.serve("far", "no", "--cluster-enabled", "yes",
                            "--tls-cluster", "yes", "--cluster-port",
                            str(free_port()))
        client = Client(server.port)
        client("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        words = [*self.ca, "--tls-name", "far.example",
                 address(server.tls_port)]
        self.assertEqual(run(["push", *words], keys(3000)), (0, [], ""))
        self.assertEqual(len(run(["pop", "-n", "9999", *words])[1]), 3000)
        self.assertGreater(int(client("DBSIZE")[1:]), 1)
        client.close()

    def test_authority_may_be_a_folder(self):
        folder = self.papers["trusted"]
        os.makedirs(folder, exist_ok=True)
        shutil.copy(self.papers["ca.crt"], folder)
        self.papers.openssl("rehash", folder)
        self.assertEqual(run(["push", "--tls-ca", folder, address(
            self.serve().tls_port)], ["a"]), (0, [], ""))

    def test_system_s_certificates_by_default(self):
        environment = dict(os.environ, SSL_CERT_FILE=self.papers["ca.crt"])
        at = address(self.serve().tls_port)
        self.assertEqual(run(["push", at], ["a"], environment), (0, [], ""))
        self.refused(["push", at], "its certificate is not accepted: ")


class Certificates(WithPapers):
    def test_authority_that_did_not_sign(self):
        at = address(self.serve().tls_port)
        self.refused(["push", "--tls-ca", self.papers["other.crt"], at],
                     "its certificate is not accepted: ")
        self.assertEqual(run(["push", *self.ca, at], ["a"])[0], 0)

    def test_name_has_to_be_the_servers(self):
        at = address(self.serve("far").tls_port)
        self.refused(["push", *self.ca, at], "IP address mismatch")
        self.refused(["push", *self.ca, "--tls-name", "near.example", at],
                     "hostname mismatch")
        self.assertEqual(run(["push", *self.ca, "--tls-name", "far.example",
                              at], ["a"]), (0, [], ""))

    def test_host_by_name(self):
        at = address(self.serve().tls_port, host="localhost")
        self.assertEqual(run(["push", *self.ca, at], ["a"]), (0, [], ""))

    def test_certificate_whose_time_is_over(self):
        self.refused(["push", *self.ca, address(self.serve("old").tls_port)],
                     "certificate has expired")

    def test_server_asks_for_one_of_the_client(self):
        at = address(self.serve("server", "yes").tls_port)
        own = ["--tls-cert", self.papers["client.crt"],
               "--tls-key", self.papers["client.key"]]
        self.refused(["push", *self.ca, at], "TLS failed: ")
        self.assertEqual(run(["push", *self.ca, *own, at], ["a"]), (0, [], ""))

    def test_server_is_told_the_name(self):
        """By a server of openssl's, which prints it."""
        port = free_port()
        process = subprocess.Popen(
            ["openssl", "s_server", "-accept", str(port), "-cert",
             self.papers["server.crt"], "-key", self.papers["server.key"],
             "-servername", "crawl.example", "-cert2",
             self.papers["server.crt"], "-key2", self.papers["server.key"],
             "-trace"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        line = b""
        while b"ACCEPT" not in line:
            line = process.stdout.readline()
            self.assertNotEqual(line, b"")
        run(["push", "--wait=1", *self.ca, "--tls-name", "crawl.example",
             address(port)], ["a"])
        process.terminate()
        text = process.stdout.read()
        process.wait(PATIENCE)
        self.assertIn(b"crawl.example", text)


class Options(WithPapers):
    def test_wrong_files(self):
        at = address(self.serve().tls_port)
        none, other = self.papers["none"], self.papers["other.key"]
        cert = ["--tls-cert", self.papers["client.crt"]]
        for words, reason in (
                (["--tls-ca", none], "--tls-ca %s: No such file" % none),
                (["--tls-ca", other], "--tls-ca %s: " % other),
                (cert, "--tls-cert and --tls-key belong together"),
                (["--tls-key", other], "--tls-cert and --tls-key belong"),
                ([*cert, "--tls-key", none], "--tls-key %s: No such" % none),
                ([*cert, "--tls-key", other], "--tls-key %s: key values "
                                              "mismatch" % other),
                (["--tls-cert", other, "--tls-key", other],
                 "--tls-cert %s: " % other)):
            ca = [] if "--tls-ca" in words else self.ca
            self.refused(["push", *ca, *words, at], reason)

    def test_they_are_for_tls(self):
        for option in ("--tls-ca", "--tls-cert", "--tls-key", "--tls-name"):
            for name in ("push", "pop", "ack", "nack", "stat"):
                self.refused([name, option, "x", "redis://127.0.0.1:1/c"],
                             "are for connections by TLS: rediss://")
                self.refused([name, option, "x", self.papers["none"]],
                             "are for a crawl in Redis")


class Wire(WithPapers):
    def test_port_in_clear(self):
        """A server that answers in clear to the first bytes of TLS."""
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()

            def answer():
                while True:
                    try:
                        one, _ = listening.accept()
                    except OSError:
                        return
                    one.recv(100)
                    one.sendall(b"-ERR unknown command\r\n")
                    one.close()
            threading.Thread(target=answer, daemon=True).start()
            self.refused(["push", *self.ca, address(
                listening.getsockname()[1])],
                "it does not speak TLS at that port")
            listening.shutdown(socket.SHUT_RDWR)

    def test_server_that_is_silent_or_away_is_waited_for(self):
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            listening.listen()
            port = listening.getsockname()[1]
            status, _, said = run(["push", "--wait=0.2", *self.ca,
                                   address(port)], ["a"])
        self.assertEqual(status, 2)
        self.assertIn("it does not answer; given up after 0.2 seconds", said)
        status, _, said = run(["push", "--wait=0.2", *self.ca,
                               address(free_port())], ["a"])
        self.assertEqual(status, 2)
        self.assertIn("Connection refused; given up after 0.2 seconds", said)

    def test_server_that_ends_within_a_crawl(self):
        """It is killed while a push goes on, and comes back at its port."""
        server = self.serve("server", "no", "--appendonly", "yes",
                            "--appendfsync", "always")
        process = subprocess.Popen(
            [COMMAND, "queue", "push", *self.ca, address(server.tls_port)],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        urls = keys(40000)
        half = "".join(url + "\n" for url in urls[:20000]).encode()
        process.stdin.write(half)
        process.stdin.flush()
        server.kill()
        server.start(server.port)
        rest = "".join(url + "\n" for url in urls[20000:]).encode()
        _, said = process.communicate(rest, PATIENCE)
        self.assertEqual((process.returncode, said), (0, b""))
        popped = run(["pop", "-n", "99999", "--ack", *self.ca,
                      address(server.tls_port)])[1]
        self.assertEqual(sorted(popped), sorted(urls))


if __name__ == "__main__":
    needs_tls()
    unittest.main()
