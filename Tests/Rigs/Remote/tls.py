"""An HTTPS server of files, with a certificate that is its own authority."""

import functools
import http.server
import ssl
import subprocess
import threading


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def make_certificate(name, folder):
    """Writes a certificate for localhost and its key; returns the path of the certificate."""
    file = folder / f"{name}.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", file.with_suffix(".key"), "-out", file],
        check=True, capture_output=True)
    return file


def serve(folder, certificate):
    """Serves a directory until this process ends; returns the address."""
    handler = functools.partial(Files, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_suffix(".key"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"https://localhost:{server.server_port}"
