"""The app's side: answers the requests that come through the custom scheme."""
import json
import os
import subprocess

# What UTType knows of a file's last extension on a current iOS, as far as the pages here need it.
TYPES = {
    "css": "text/css", "gif": "image/gif", "html": "text/html", "jpg": "image/jpeg",
    "js": "text/javascript", "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    "txt": "text/plain", "woff2": "font/woff2", "xml": "text/xml", "gz": "application/gzip",
}
UNKNOWN = "application/octet-stream"


class Handler:
    """Answers as the client of a profile would.

    The job's "handler" says what differs from the seed's client, which finds a file by its path,
    sends a MIME type and nothing else, and fails what is not there:

      cors     value of Access-Control-Allow-Origin
      headers  further headers; with them or cors, status 200 goes along
      types    MIME types by extension
      compares the spelling of the scheme that the client's code compares URLs with
    """

    def __init__(self, job, gi, report, touch):
        self.gi, self.report, self.touch = gi, report, touch
        self.options = job.get("handler", {})
        self.resolver = Resolver(job)

    def answer(self, request, *_):
        self.touch()
        url, method = request.get_uri(), request.get_http_method()
        record = {"method": method, "url": url, "body": self.body_length(request, method)}
        self.report["asked"].append(record)
        spelling = self.options.get("compares")
        if spelling and not url.startswith(spelling + "://"):
            return self.fail(request, record, "the URL does not begin with " + spelling)
        if method not in ("GET", "HEAD"):
            return self.fail(request, record, "the client passes no " + method + " on")
        name, reason = self.resolver.resolve(url)
        if name is None:
            return self.fail(request, record, reason)
        with open(name, "rb") as file:
            content = file.read()
        extension = name.rsplit(".", 1)[-1].lower() if "." in os.path.basename(name) else ""
        self.succeed(
            request,
            record,
            content,
            self.options.get("types", {}).get(extension, TYPES.get(extension, UNKNOWN)),
        )

    def body_length(self, request, method):
        """Length of the body. WebKitGTK crashes over a Blob's, so only plain types are read."""
        headers = request.get_http_headers()
        kind = (headers.get_one("Content-Type") or "") if headers else ""
        if method in ("GET", "HEAD") or not kind.startswith(
            ("text/", "application/json", "application/x-www-form")
        ):
            return 0
        stream, length = request.get_http_body(), 0
        while stream:
            piece = stream.read_bytes(65536, None).get_size()
            if not piece:
                break
            length += piece
        return length

    def fail(self, request, record, reason):
        record["answer"] = reason
        quark = self.gi.GLib.quark_from_string("packtool")
        request.finish_error(self.gi.GLib.Error.new_literal(quark, reason, 1))

    def succeed(self, request, record, content, kind):
        record.update(answer="ok", type=kind, size=len(content))
        stream = self.gi.Gio.MemoryInputStream.new_from_bytes(self.gi.GLib.Bytes.new(content))
        headers = dict(self.options.get("headers", {}))
        if "cors" in self.options:
            headers["Access-Control-Allow-Origin"] = self.options["cors"]
        if not headers:
            return request.finish(stream, len(content), kind)
        response = self.gi.WebKit.URISchemeResponse.new(stream, len(content))
        response.set_status(200, None)
        response.set_content_type(kind)
        fields = self.gi.Soup.MessageHeaders.new(self.gi.Soup.MessageHeadersType.RESPONSE)
        fields.replace("Content-Type", kind)
        for name, value in headers.items():
            fields.replace(name, value)
        response.set_http_headers(fields)
        request.finish_with_response(response)


class Resolver:
    """Asks packtool which file of the package a URL finds, with the client of the job's profile."""

    def __init__(self, job):
        client = dict(job.get("client", {}))
        self.package = job["package"]
        self.command = [
            job["packtool"],
            "resolve",
            "--json",
            "--profile",
            client.get("profile", "path-strict"),
            "--scheme",
            job["scheme"],
        ]
        self.hosts = job.get("hosts", ["shop.test", "cdn.test"])

    def resolve(self, url):
        """The file's name, or None and why there is none."""
        host = url.split("://", 1)[1].split("/")[0] if "://" in url else ""
        if host not in self.hosts:
            return None, "no host of the app"
        # In a directory without a packtool.yaml.
        run = subprocess.run(self.command + [self.package, url], capture_output=True, text=True, cwd="/")
        if run.returncode not in (0, 1) or not run.stdout:
            return None, "packtool resolve failed: " + run.stderr
        answer = json.loads(run.stdout)["answers"][0]
        if answer["outcome"] != "file":
            return None, answer["outcome"]
        return os.path.join(self.package, answer["path"]), None
