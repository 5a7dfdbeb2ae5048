"""The app's side in the engine: passes a client's answers (clients.py) to WebKit."""
from clients import App, client


class Handler:
    """Answers requests with the custom scheme.

    The job's "client" is the profile with its settings ("plain" by default); its "handler" contains
    differences in the app:

      cors     value of Access-Control-Allow-Origin
      headers  further headers; with them or cors, the status is 200
      types    media types by extension
      compares the spelling of the scheme with which the client's code compares URLs
    """

    def __init__(self, job, gi, report, touch):
        self.gi, self.report, self.touch = gi, report, touch
        self.options = job.get("handler", {})
        profile = dict(job.get("client", {}))
        profile["base"] = profile.pop("profile", profile.get("base", "plain"))
        if "types" in self.options:
            profile["media-types"] = self.options["types"]
        self.app = App(job["package"], client(profile, job.get("launch", "index.html")))

    def answer(self, request, *_):
        self.touch()
        url, method = request.get_uri(), request.get_http_method()
        record = {"method": method, "url": url, "body": self.body_length(request, method)}
        self.report["asked"].append(record)
        spelling = self.options.get("compares")
        if spelling and not url.startswith(spelling + "://"):
            return self.fail(request, record, "the URL does not begin with " + spelling)
        if method not in ("GET", "HEAD") and self.app.client.name == "plain":
            # The others ignore the method: S003, CAP and COR answer a POST with the file.
            return self.fail(request, record, "the client passes no " + method + " on")
        fields = request.get_http_headers()
        answer = self.app.answer(url, method, fields.get_one("Range") if fields else None)
        record["answer"] = answer.reason or "ok"
        if answer.reason and answer.headers is None:
            return self.fail(request, record, answer.reason)
        record.update(type=answer.kind, size=len(answer.content))
        self.finish(request, answer)

    def body_length(self, request, method):
        """Length of the body. WebKitGTK crashes for a Blob's body, so only plain types are read."""
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

    def finish(self, request, answer):
        content = answer.content
        stream = self.gi.Gio.MemoryInputStream.new_from_bytes(self.gi.GLib.Bytes.new(content))
        headers = dict(answer.headers or {}, **self.options.get("headers", {}))
        if "cors" in self.options:
            headers["Access-Control-Allow-Origin"] = self.options["cors"]
        if not headers:
            return request.finish(stream, len(content), answer.kind)
        response = self.gi.WebKit.URISchemeResponse.new(stream, len(content))
        response.set_status(answer.status, None)
        fields = self.gi.Soup.MessageHeaders.new(self.gi.Soup.MessageHeadersType.RESPONSE)
        if answer.kind:
            response.set_content_type(answer.kind)
            fields.replace("Content-Type", answer.kind)
        for name, value in headers.items():
            fields.replace(name, value)
        response.set_http_headers(fields)
        request.finish_with_response(response)
