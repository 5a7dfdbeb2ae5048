"""The behavior of the apps' scheme handlers, written from their sources without using packtool.

  S003  the Objective-C of article S003, startURLSchemeTask: and the download loop before it
  CAP   ionic-team/capacitor 8.4, ios/Capacitor/Capacitor/WebViewAssetHandler.swift and Router.swift
  COR   apache/cordova-ios 8, CordovaLib/…/CDVWebViewEngine/CDVURLSchemeHandler.m
  FND   apple/swift-foundation, String+Path.swift and URL.swift: url.path and pathExtension

path-strict has no source: it is the handler described in docs/guide/profiles.md. plain is the handler of most
articles: it finds a file by its path, sends a media type and no headers, and fails for missing files.
"""
import os
import posixpath
import re
import urllib.parse
from dataclasses import dataclass, field, replace

# UTType's media types by extension on a current iOS, as far as pages need them; mjs is unknown.
TYPES = {
    "avif": "image/avif", "bmp": "image/bmp", "css": "text/css", "csv": "text/csv", "gif": "image/gif",
    "gz": "application/gzip", "htm": "text/html", "html": "text/html", "ico": "image/vnd.microsoft.icon",
    "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript", "json": "application/json",
    "m4a": "audio/mp4", "mov": "video/quicktime", "mp3": "audio/mpeg",
    "mp4": "video/mp4", "otf": "font/otf", "pdf": "application/pdf", "php": "text/php", "png": "image/png",
    "svg": "image/svg+xml", "ttf": "font/ttf", "txt": "text/plain", "vtt": "text/vtt", "wav": "audio/wav",
    "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
    "xml": "text/xml", "zip": "application/zip",
}
UNKNOWN = "application/octet-stream"
# CAP mimeTypes: used after UTType; the entries missing in UTType that a page may request.
CAPACITOR_TYPES = {"wasm": "application/wasm", "map": "text/plain", "manifest": "application/x-ms-manifest",
                   "ics": UNKNOWN, "eot": UNKNOWN, "xsl": "text/xml", "atom": "application/atom+xml"}
# CAP isMediaExtension
CAPACITOR_MEDIA = ("m4v", "mov", "mp4", "aac", "ac3", "aiff", "au", "flac", "m4a", "mp3", "wav")
# FND invalidExtensionScalars
NO_EXTENSION = re.compile("[ /\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Client:
    """One app's handler; the keys of a custom profile change its fields."""

    name: str
    flat: bool = False
    query: str = "strip"
    fragment: str = "strip"
    decodes: bool = True
    opens: str = "none"
    ranges: bool = False
    cors: bool = False
    headers: bool = True
    missing: int = 0  # the status of a miss; 0: the task fails
    root: str = "/"
    launch: str = "index.html"
    types: dict = field(default_factory=dict)


CLIENTS = {
    "plain": Client("plain", headers=False),
    "path-strict": Client("path-strict", ranges=True, cors=True, missing=404),
    # S003 lines 5-9: componentsSeparatedByString:@"/" .lastObject, then @"?" .firstObject, of absoluteString,
    # which is still encoded and keeps its fragment; NSURLResponse with only a MIME type.
    "basename-cache": Client("basename-cache", flat=True, query="after-last-slash", fragment="keep",
                             decodes=False, headers=False),
    "capacitor": Client("capacitor", opens="start-page", ranges=True),
    "cordova": Client("cordova", opens="start-page", ranges=True),
}
SCHEMES = {"capacitor": "capacitor", "cordova": "app"}
KEYS = {"query": "query", "fragment": "fragment", "percent-decoding": "decodes", "index-file": "opens",
        "range": "ranges", "cors": "cors", "root": "root", "media-types": "types"}


def client(profile="plain", launch="index.html"):
    """The client of a profile: its name, or the keys as in packtool.yaml."""
    settings = {"base": profile} if isinstance(profile, str) else dict(profile)
    base = CLIENTS[settings.pop("base", "path-strict")]
    changes = {KEYS[key]: value for key, value in settings.items() if key in KEYS}
    if "look-up" in settings:
        changes["flat"] = settings["look-up"] == "basename"
    return replace(base, launch=launch, **changes)


@dataclass
class Answer:
    """The answer for WebKit: content or a reason for failure, and the response's fields."""

    reason: str | None = None
    content: bytes = b""
    kind: str | None = None
    status: int = 200
    headers: dict | None = None  # None: a response without status and headers


class App:
    """A client with its files."""

    def __init__(self, directory, client):
        self.client, self.files = client, {}
        for folder, _, names in os.walk(directory):
            for name in names:
                path = os.path.join(folder, name)
                self.files[os.path.relpath(path, directory)] = path
        # S003 stores each file under its name, and "already downloaded: skip" keeps the first of two.
        self.flat = {}
        for path in sorted(self.files, key=os.fsencode):
            self.flat.setdefault(path.rsplit("/", 1)[-1], self.files[path])

    def answer(self, url, method="GET", asked_range=None):
        """The app's answer to a request."""
        name, kind, reason = self.find(url)
        if reason is not None:
            return self.miss(reason)
        content = b""
        if name != os.devnull:
            with open(name, "rb") as file:
                content = file.read()
        return self.respond(content, kind, url, asked_range)

    def find(self, url):
        """The file, its media type, and the reason if there is none."""
        how = self.client
        rest = url.split("://", 1)[1] if "://" in url else url.split(":", 1)[1]
        # None of them checks the host.
        path, fragment = split(rest[rest.index("/"):] if "/" in rest else "", "#")
        path, query = split(path, "?")
        if how.flat:
            return self.find_flat(url, path, query, fragment)
        return self.find_path(path, query, fragment)

    def find_flat(self, url, path, query, fragment):
        how = self.client
        if how.query == "after-last-slash":
            name = url if how.fragment == "keep" else url.split("#", 1)[0]
            name = name.split("/")[-1].split("?")[0]
        else:
            name = kept(path.rsplit("/", 1)[-1], how, query, None)
        if how.query != "after-last-slash":
            name = kept(name, how, None, fragment)
        name = decoded(name) if how.decodes else name
        if name == "":
            # S003: the path of the folder itself exists, dataWithContentsOfFile: is nil, the answer is empty.
            return os.devnull, None, None
        if name not in self.flat:
            # S003: falls back to http, but there is no network.
            return None, None, "not in the folder: " + str(name)
        return self.flat[name], self.kind(name), None

    def find_path(self, path, query, fragment):
        how = self.client
        apple = how.name in ("capacitor", "cordova")
        if how.decodes:
            path = decoded(path)
            if path is None:
                return None, None, "the path is not UTF-8"
        if apple and len(path) > 1:
            path = path.rstrip("/") or "/"  # FND: url.path has no trailing slash
        if how.name == "capacitor" and path.startswith("/_capacitor_"):
            return None, None, "a file of the device, or the network"  # CAP: the three start identifiers
        if how.name == "cordova" and path.startswith("/_app_file_"):
            return None, None, "a file of the device"  # COR fileURLForRequestURL:
        if how.opens == "start-page" and not extension(path):
            # CAP Router: basePath + "/index.html", regardless of the launch page. COR:
            # viewController.startPage.
            name = "index.html" if how.name == "capacitor" else how.launch
            if how.name == "capacitor" and "cordova.js" in path:
                return os.devnull, "text/html", None
            return self.existing(name, "text/html" if how.name == "capacitor" else self.kind(name))
        if how.name == "capacitor" and "cordova.js" in path:
            return os.devnull, self.kind(path), None  # CAP: if !stringToLoad.contains("cordova.js") { read }
        if not path.startswith(how.root):
            return None, None, "not below " + how.root
        name = path[len(how.root):]
        if how.opens == "directory" and (name == "" or name.endswith("/")):
            name += "index.html"
        slash = name.endswith("/")
        name = posixpath.normpath("/" + name).lstrip("/")  # COR URLByStandardizingPath; CAP: the file system
        if slash:
            return None, None, "a folder"
        return self.existing(kept(name, how, query, fragment), None)

    def existing(self, name, kind):
        if name not in self.files:
            return None, None, "not in the package: " + name
        return self.files[name], kind or self.kind(name), None

    def kind(self, name):
        """S003 getMimeTypeWithFilePath:, CAP mimeTypeForExtension, COR getMimeType:."""
        suffix = extension(name)
        if suffix in self.client.types:
            return self.client.types[suffix]
        if not suffix and self.client.name == "capacitor":
            return "text/html"
        known = TYPES.get(suffix.lower())
        if known is None and self.client.name == "capacitor":
            known = CAPACITOR_TYPES.get(suffix)
        return known or UNKNOWN

    def miss(self, reason):
        if not self.client.missing:
            return Answer(reason)
        return Answer(reason, b"not found", "text/plain", self.client.missing, self.fields({}))

    def respond(self, content, kind, url, asked_range):
        how = self.client
        path = split(split(url, "#")[0], "?")[0]
        media = extension(path).lower() in CAPACITOR_MEDIA
        if not how.headers or (how.name == "capacitor" and media and not asked_range):
            return Answer(None, content, kind)  # CAP: media get a URLResponse, all else an HTTPURLResponse
        fields, status = {}, 200
        # CAP only answers ranges of media, COR those of everything.
        if how.ranges and asked_range and asked_range.startswith("bytes=") \
                and (media or how.name != "capacitor"):
            first, _, last = asked_range[6:].partition("-")
            start = int(first or 0)
            end = int(last) if last.isdigit() else len(content) - 1
            if start >= len(content):
                status, fields = 416, {"Content-Range": f"bytes */{len(content)}"}
                content = b""
            else:
                status, fields = 206, {"Content-Range": f"bytes {start}-{end}/{len(content)}"}
                content = content[start:end + 1]
            fields["Accept-Ranges"] = "bytes"
        return Answer(None, content, kind, status, self.fields(fields))

    def fields(self, more):
        fields = {"Cache-Control": "no-cache", **more}  # CAP headers, COR headers
        if self.client.cors:
            fields["Access-Control-Allow-Origin"] = "*"
        return fields


def split(text, mark):
    """The text before the first mark, and the text after it, or None without one."""
    before, found, after = text.partition(mark)
    return before, after if found else None


def kept(name, how, query, fragment):
    if how.query == "keep" and query is not None:
        name += "?" + query
    if how.fragment == "keep" and fragment is not None:
        name += "#" + fragment
    return name


def decoded(text):
    """Percent-decoding like url.path: empty if the bytes are not UTF-8."""
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        return None


def extension(path):
    """FND pathExtension: the text after the last component's last dot, if something precedes it."""
    last = path.rstrip("/").rsplit("/", 1)[-1]
    stem, dot, suffix = last.rpartition(".")
    return suffix if dot and stem and not NO_EXTENSION.search(suffix) else ""
