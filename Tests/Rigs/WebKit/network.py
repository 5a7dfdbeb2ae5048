"""The network as seen by one page: a proxy on loopback that answers for every host.

WebKit uses it as its proxy, so pages use real names (https://shop.test/) and nothing leaves the machine. TLS
ends here with a certificate made for the run, which the engine accepts.
"""
import base64
import hashlib
import http.server
import os
import ssl
import subprocess
import threading
import urllib.parse

from clients import TYPES, UNKNOWN


class Network:
    """Answers from the case's "network" table, its directory web/<host>/, and the deployed page."""

    def __init__(self, certificate):
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(certificate)
        self.asked, self.table, self.roots, self.offline = [], {}, {}, False
        network = self

        class Connection(Proxy):
            pass

        Connection.network = network
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Connection)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = "127.0.0.1:%d" % self.server.server_port

    def set(self, table, roots, offline):
        """Sets the answers: a table by URL, and directories by host."""
        self.asked, self.table, self.roots, self.offline = [], table, roots, offline

    def refuses(self, host, url):
        """Whether a host is unreachable; the attempt is recorded."""
        if not self.offline or host in self.roots:
            return False
        self.asked.append({"method": "GET", "url": url, "body": 0, "status": 502})
        return True

    def respond(self, method, url, body, headers):
        """Status, headers and body for a request."""
        answer = self.table.get(url)
        if answer is not None and answer.get("hotlinks") is False and not headers.get("Referer"):
            status, headers, content = 403, {}, b""
        elif answer is not None:
            status, headers, content = (
                answer.get("status", 200),
                answer.get("headers", {}),
                answer.get("body", "").encode(),
            )
        else:
            parts = urllib.parse.urlsplit(url)
            name = os.path.join(
                self.roots.get(parts.hostname, "/nonexistent"), urllib.parse.unquote(parts.path).lstrip("/")
            )
            if os.path.isfile(name):
                with open(name, "rb") as file:
                    content = file.read()
                kind = TYPES.get(name.rsplit(".", 1)[-1], UNKNOWN)
                status, headers = (
                    200,
                    {"Content-Type": kind + "; charset=utf-8" if kind.startswith("text/") else kind},
                )
                if self.offline:  # the only servers still answering are APIs that expect pages of apps
                    headers["Access-Control-Allow-Origin"] = "*"
            else:
                status, headers, content = 404, {"Content-Type": "text/plain"}, b"nothing here"
        self.asked.append({"method": method, "url": url, "body": len(body), "status": status})
        return status, headers, content


class Proxy(http.server.BaseHTTPRequestHandler):
    """One connection of a proxy that never connects anywhere."""

    protocol_version = "HTTP/1.1"
    host = None  # the host of a tunnel

    def do_CONNECT(self):
        host = self.path.rsplit(":", 1)[0]
        if self.network.refuses(host, "https://" + host + "/"):
            return self.send_error(502)
        self.send_response(200)
        self.end_headers()
        self.host = host
        try:
            self.connection = self.network.tls.wrap_socket(self.connection, server_side=True)
        except OSError:
            self.close_connection = True
            return
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)

    def do_any(self):
        url = "https://" + self.host + self.path if self.host else self.path
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not self.host and self.network.refuses(urllib.parse.urlsplit(url).hostname, url):
            return self.send_error(502)
        if self.headers.get("Upgrade") == "websocket":
            return self.accept_socket()
        status, headers, content = self.network.respond(self.command, url, body, self.headers)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def accept_socket(self):
        """Opens a WebSocket (RFC 6455 section 4.2.2) and sends nothing on it."""
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header(
            "Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        )
        self.end_headers()
        self.rfile.read()
        self.close_connection = True

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = do_OPTIONS = do_any

    def log_message(self, *_):
        pass


def make_certificate(directory):
    """A certificate and its key in one file, valid for this run."""
    name = os.path.join(directory, "certificate.pem")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=packtool proof",
            "-keyout",
            name + ".key",
            "-out",
            name,
        ],
        check=True,
        capture_output=True,
    )
    with open(name, "a") as certificate, open(name + ".key") as key:
        certificate.write(key.read())
    return name
