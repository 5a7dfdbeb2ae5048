"""The behavior of Android apps' request handlers, written from their sources without using packtool.

  CAP   ionic-team/capacitor 8, android/…/WebViewLocalServer.java: handleLocalRequest, getMimeType
  COR   apache/cordova-android 14, framework/…/SystemWebViewClient.java: the path handler of its asset loader
  AXL   androidx.webkit, WebViewAssetLoader.java (PathMatcher, AssetsPathHandler), AssetHelper, MimeUtil
  AWV   Chromium, android_webview/…/android_stream_reader_url_loader.cc: what WebView makes of an answer

intercept has no source: it is the shouldInterceptRequest of most articles. It finds a file of its hosts by
the decoded path, sends a media type and no headers, and returns null for missing files, so WebView asks the
network.
"""
import os
import re
import urllib.parse
from dataclasses import dataclass, field, replace

# Android's MimeMap by extension (10 and later), as far as pages need it.
TYPES = {
    "avif": "image/avif", "bmp": "image/x-ms-bmp", "css": "text/css", "csv": "text/comma-separated-values",
    "gif": "image/gif", "gz": "application/gzip", "htm": "text/html", "html": "text/html",
    "ico": "image/x-icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript",
    "json": "application/json", "m4a": "audio/mp4", "m4v": "video/mp4", "mjs": "text/javascript",
    "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "ogg": "audio/ogg", "otf": "font/otf",
    "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "ttf": "font/ttf",
    "txt": "text/plain", "wasm": "application/wasm", "wav": "audio/x-wav", "webm": "video/webm",
    "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
    "xml": "text/xml", "zip": "application/zip",
}
UNKNOWN = "application/octet-stream"


@dataclass(frozen=True)
class Client:
    """One app's handler; the keys of a custom profile change its fields."""

    name: str
    host: str = ""
    index: str = "none"
    ranges: bool = False
    cors: bool = False
    both: bool = False  # answers http:// like https://
    missing: int | None = None  # the status of a miss; None: the request goes to the network
    workers: bool = False  # answers the requests of service workers
    isolated: bool = False
    root: str = "/"
    launch: str = "index.html"
    query: str = "strip"
    decodes: bool = True
    unknown: str = ""  # the media type of unknown extensions; none: WebView sniffs
    types: dict = field(default_factory=dict)


CLIENTS = {
    # CAP createHostingDetails registers http and https.
    "capacitor-android": Client("capacitor-android", "localhost", index="start-page", ranges=True, both=True,
                                missing=404, workers=True),
    # COR setHttpAllowed(true), ResolveServiceWorkerRequests.
    "cordova-android": Client("cordova-android", "localhost", index="root", both=True, workers=True),
    "asset-loader": Client("asset-loader", "appassets.androidplatform.net", missing=404, root="/assets/",
                           unknown="text/plain"),
    "intercept": Client("intercept", unknown=UNKNOWN),
}
KEYS = {"index-file": "index", "range": "ranges", "cors": "cors", "root": "root", "media-types": "types",
        "service-workers": "workers", "isolated": "isolated", "query": "query", "percent-decoding": "decodes"}


def client(profile, launch="index.html"):
    """The client of a profile: its name, or the keys as in packtool.yaml."""
    settings = {"base": profile} if isinstance(profile, str) else dict(profile)
    changes = {KEYS[key]: value for key, value in settings.items() if key in KEYS}
    return replace(CLIENTS[settings["base"]], launch=launch, **changes)


@dataclass
class Answer:
    """The answer as a page sees it, and the reason if it is not a file of the package."""

    status: int
    content: bytes = b""
    headers: dict = field(default_factory=dict)
    reason: str | None = None


class App:
    """A client with its files, and the scheme and hosts of its addresses."""

    def __init__(self, directory, client, scheme, hosts):
        self.client, self.hosts, self.files = client, hosts, {}
        self.schemes = ("http", "https") if client.both else (scheme,)
        for folder, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(folder, name)
                self.files[os.path.relpath(path, directory)] = path

    def answer(self, url, headers):
        """The answer to a request, or None if it goes to the network."""
        how = self.client
        # Without an answer to its script, no service worker exists, so none requests anything else.
        if headers.get("service-worker") == "script" and not how.workers:
            return None
        name, kind, path = self.find(url)
        if name is None:
            if how.missing is None or path is None or not path.startswith(how.root):
                return None
            return Answer(how.missing, reason="not in the package: " + path)
        if name == os.devnull:
            return Answer(200, headers=self.fields(kind))
        with open(self.files[name], "rb") as file:
            return self.respond(file.read(), kind, headers.get("range"))

    def find(self, url):
        """The file that answers a URL, its media type, and the path if the URL is one of the app's."""
        how, parts = self.client, urllib.parse.urlsplit(url)
        if parts.scheme not in self.schemes or parts.netloc not in self.hosts:
            return None, None, None
        path = urllib.parse.unquote(parts.path) if how.decodes else parts.path  # Uri.getPath
        if how.query == "keep" and parts.query:
            path += "?" + parts.query
        return *self.find_path(path, parts.path), path

    def find_path(self, path, encoded):
        how = self.client
        if how.name == "capacitor-android":
            if path.startswith("/_capacitor_"):
                return None, None  # CAP isLocalFile: files of the device
            if path == "/cordova.js":
                return os.devnull, "application/javascript"  # CAP: no stream
            # CAP getLastPathSegment, without empty segments; the start page is always index.html.
            last = [urllib.parse.unquote(part) for part in encoded.split("/") if part][-1:]
            if how.index == "start-page" and (path == "/" or last and "." not in last[0]):
                return self.existing("index.html", "text/html")
            if path.lower() == "/favicon.ico":
                return None, None
        if not path.startswith(how.root):
            return None, None
        name = path[len(how.root):]
        if how.name == "asset-loader" and len(name) > 1:
            name = name.removeprefix("/")  # AXL removeLeadingSlash
        if how.name == "intercept":
            name = re.sub("/+", "/", name).removeprefix("/")  # the file system
        # COR: index.html, regardless of the launch page.
        launch = "index.html" if how.name == "cordova-android" else how.launch
        if how.index == "start-page" and how.name != "capacitor-android" and "." not in base_name(name) \
                or how.index == "root" and name == "":
            name = launch
        if how.index == "directory" and (name == "" or name.endswith("/")):
            name += "index.html"
        return self.existing(name, None)

    def existing(self, name, kind):
        if name not in self.files:
            return None, None
        return name, kind or self.kind(name)

    def kind(self, name):
        """The media type of a file, or "" if WebView has to sniff."""
        base = base_name(name)
        suffix = base.rpartition(".")[2] if "." in base else ""
        if suffix in self.client.types:
            return self.client.types[suffix]
        if self.client.name == "cordova-android":
            # COR: MimeTypeMap.getFileExtensionFromUrl finds none in names with unusual characters.
            if name.endswith((".js", ".mjs")):
                return "application/javascript"
            if name.endswith(".wasm"):
                return "application/wasm"
            if not all(sign.isascii() and sign.isalnum() or sign in "_.-()%" for sign in base):
                suffix = ""
        if self.client.name == "intercept" and suffix in ("mjs", "wasm"):
            return self.client.unknown  # not in the MimeTypeMap of Android 9 and earlier
        return TYPES.get(suffix.lower(), self.client.unknown)

    def respond(self, content, kind, asked_range):
        """AWV: the stream reader skips to the range that is asked for, but the status is the handler's."""
        status, fields = 200, {}
        if asked_range and asked_range.startswith("bytes="):
            first, _, last = asked_range[6:].partition("-")
            start, end = int(first or 0), min(int(last or len(content) - 1), len(content) - 1)
            if self.client.ranges:
                status = 206
                fields = {"Accept-Ranges": "bytes",
                          "Content-Range": f"bytes {start}-{last or len(content) - 1}/{len(content)}"}
            content = content[start:end + 1]
        return Answer(status, content, self.fields(kind) | fields)

    def fields(self, kind):
        fields = {"Content-Type": kind} if kind else {}
        if self.client.name == "capacitor-android":
            fields["Cache-Control"] = "no-cache"  # CAP PathHandler
        if self.client.cors:
            fields["Access-Control-Allow-Origin"] = "*"
        if self.client.isolated:
            # WebView ignores Cross-Origin-Opener-Policy, so no page is isolated (browser-compat-data).
            fields["Cross-Origin-Embedder-Policy"] = "require-corp"
        return fields


def base_name(path):
    return path.rsplit("/", 1)[-1]
