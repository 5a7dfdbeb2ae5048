"""Small clients of the three feeds, written from the public sources of the real ones without packtool's code.

Each keeps its files below one folder, and `tree()` is what the WebView would be served from.
"""

import hashlib
import http.client
import json
import pathlib
import shutil
import urllib.parse
import urllib.request
import zipfile


class ClientError(Exception):
    """What the real client reports as a failed update; the installed bundle stays."""


def fetch(url: str, data: bytes | None = None) -> bytes:
    """A GET, or a POST of JSON, that must answer 200."""
    headers = {"Content-Type": "application/json"} if data is not None else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=20) as answer:
            if answer.status != 200:
                raise ClientError(f"{url}: {answer.status}")
            return answer.read()
    except (OSError, http.client.HTTPException) as error:
        raise ClientError(f"{url}: {error}") from error


def inside(folder: pathlib.Path, name: str) -> pathlib.Path:
    """A path that does not leave a folder."""
    if not name or "\\" in name or "\0" in name or name.startswith("/"):
        raise ClientError(f"invalid path {name!r}")
    target = (folder / name).resolve()
    if folder.resolve() not in target.parents:
        raise ClientError(f"path escapes: {name!r}")
    return target


def unzip(archive: pathlib.Path, folder: pathlib.Path) -> None:
    with zipfile.ZipFile(archive) as package:
        for entry in package.infolist():
            target = inside(folder, entry.filename)
            if entry.is_dir():
                target.mkdir(parents=True, exist_ok=True)
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(package.read(entry))


def files(folder: pathlib.Path) -> dict[str, str]:
    """The files of a tree with their SHA-256."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*") if path.is_file()
    }  # fmt: skip


class Capgo:
    """Cap-go/capacitor-updater at e235d092.

    Files: src/definitions.ts; android/…/CapgoUpdater.java (finishDownload, flattenAssets, bundleExists),
    CapacitorUpdaterPlugin.java (download, backgroundDownload), DownloadService.java (handleManifestDownload,
    downloadAndVerify, writeFileAtomic); ios/…/CapacitorUpdaterPlugin.swift (downloadBundle).
    """

    def __init__(self, folder: pathlib.Path, public_key: str = ""):
        self.folder = folder
        self.public_key = public_key
        self.cache = folder / "cache"
        self.cache.mkdir(parents=True)
        self.bundles: dict[str, pathlib.Path] = {}
        self.current = "builtin"
        self.downloads = 0

    def tree(self) -> dict[str, str]:
        return files(self.bundles[self.current]) if self.current != "builtin" else {}

    def update_manually(self, feed: str, whole: bool = True) -> bool:
        """What an app does in manual mode: fetch the feed, then download() and set()."""
        offer = json.loads(fetch(feed))
        if offer["version"] == self.current:
            return False
        if offer["version"] not in self.bundles:
            if whole:
                self.download(offer["url"], offer["version"], offer["checksum"])
            else:
                # docs/guide/feeds.md: the files of info.json as entries of the option 'manifest'.
                info = json.loads(fetch(offer["info"]))
                self.download_files(offer["version"], [
                    {"file_name": asset["path"], "file_hash": asset["sha256"], "download_url": asset["url"]}
                    for asset in info["assets"]
                ])  # fmt: skip
        self.set(offer["version"])
        return True

    def update_automatically(self, update_url: str) -> bool:
        """The automatic mode: a POST, whose answer must have neither 'error' nor 'kind'."""
        body = {"app_id": "com.example.shop", "version_name": self.current, "platform": "android"}
        offer = json.loads(fetch(update_url, json.dumps(body).encode()))
        if "error" in offer or "kind" in offer:
            raise ClientError(str(offer))
        url = urllib.parse.urlsplit(offer["url"])
        if url.scheme not in ("http", "https") or not url.netloc:
            raise ClientError("no url or wrong format")
        if offer["version"] == self.current:
            return False
        if offer["version"] not in self.bundles:
            self.download(offer["url"], offer["version"], offer.get("checksum", ""))
        self.set(offer["version"])
        return True

    def download(self, url: str, version: str, checksum: str) -> None:
        package = self.folder / "update.zip"
        package.write_bytes(fetch(url))
        if self.public_key and not checksum:
            raise ClientError("checksum required")
        found = hashlib.sha256(package.read_bytes()).hexdigest()
        if (checksum or self.public_key) and found != checksum:
            raise ClientError("checksum mismatch")
        self.downloads += 1
        source, bundle = self.folder / f"unzip_{version}", self.folder / "versions" / version
        unzip(package, source)
        self.flatten(source, bundle)
        for name, digest in files(bundle).items():
            shutil.copy(bundle / name, self.cache / f"{digest}_{pathlib.PurePosixPath(name).name}")
        self.bundles[version] = bundle

    def download_files(self, version: str, manifest: list[dict]) -> None:
        """Downloads only what the cache lacks, and hashes each file."""
        source, seen = self.folder / f"files_{version}", set()
        for entry in manifest:
            name, digest = entry["file_name"], entry["file_hash"]
            if not digest:
                raise ClientError(f"missing file_hash of {name}")
            if name.endswith(".br"):
                raise ClientError(f"brotli failed for {name}")  # the client would decompress it
            target = inside(source, name)
            if target in seen:
                raise ClientError(f"duplicate target {name}")
            seen.add(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            cached = self.cache / f"{digest}_{pathlib.PurePosixPath(name).name}"
            if not cached.exists():
                content = fetch(entry["download_url"])
                if hashlib.sha256(content).hexdigest() != digest.lower():
                    raise ClientError(f"checksum of {name}")
                self.downloads += 1
                cached.write_bytes(content)
            shutil.copy(cached, target)
        bundle = self.folder / "versions" / version
        self.flatten(source, bundle)
        self.bundles[version] = bundle

    def flatten(self, source: pathlib.Path, bundle: pathlib.Path) -> None:
        names = [path.name for path in source.iterdir() if not path.name.startswith((".", "__MACOSX"))]
        if not names:
            raise ClientError("the bundle is empty")
        bundle.parent.mkdir(parents=True, exist_ok=True)
        (source / names[0] if len(names) == 1 and names[0] != "index.html" else source).rename(bundle)

    def set(self, version: str) -> None:
        if not (self.bundles[version] / "index.html").exists():
            raise ClientError("the bundle has no index.html")
        self.current = version


class Capawesome:
    """capawesome-team/capacitor-plugins at 88d77b15, packages/live-update.

    Files: android/…/LiveUpdate.java (sync, fetchLatestBundleInternal, downloadBundleOfTypeZip, verifyFile,
    addBundle, searchIndexHtmlFile); ios/Plugin/Protocols/Api/GetLatestBundleResponse.swift.
    """

    def __init__(self, folder: pathlib.Path, public_key: str | None = None):
        self.folder = folder
        self.bundles = folder / "_capacitor_live_update_bundles"
        self.public_key = public_key
        self.next: str | None = None
        folder.mkdir(parents=True)

    def tree(self) -> dict[str, str]:
        return files(self.bundles / self.next) if self.next else {}

    def update_manually(self, feed: str) -> bool:
        """What an app does without the service: fetch the feed, then downloadBundle() and setNextBundle()."""
        return self.take(json.loads(fetch(feed)))

    def sync(self, server: str, app: str, channel: str) -> bool:
        """sync() with another serverDomain; any answer but 2xx means that there is no update."""
        query = urllib.parse.urlencode({
            "appVersionCode": "1", "appVersionName": "1.0", "bundleId": self.next or "",
            "channelName": channel, "deviceId": "d", "osVersion": "34", "platform": "0",
            "pluginVersion": "8.0.0",
        })  # fmt: skip
        try:
            answer = fetch(f"{server}/v1/apps/{app}/bundles/latest?{query}")
        except ClientError:
            return False
        return self.take(json.loads(answer))

    def take(self, offer: dict) -> bool:
        # The members that the Swift structure requires, with their types.
        for member in ("artifactType", "bundleId", "url"):
            if not isinstance(offer[member], str):
                raise ClientError(member)
        if offer["artifactType"] != "zip":
            raise ClientError("not a zip")
        bundle = offer["bundleId"]
        if bundle == self.next:
            return False
        if not (self.bundles / bundle).exists():
            self.download(bundle, offer["url"], offer.get("checksum"), offer.get("signature"))
        self.next = bundle
        return True

    def download(self, bundle: str, url: str, checksum: str | None, signature: str | None) -> None:
        package = self.folder / "bundle.zip"
        package.write_bytes(fetch(url))
        if self.public_key is not None:
            if signature is None:
                raise ClientError("signature missing")
            raise ClientError("signature verification failed")
        if checksum is not None and hashlib.sha256(package.read_bytes()).hexdigest() != checksum:
            raise ClientError("checksum mismatch")
        source = self.folder / f"unzipped-{bundle}"
        unzip(package, source)
        if not (index := self.index(source)):
            raise ClientError("index.html missing")
        self.bundles.mkdir(exist_ok=True)
        index.parent.rename(self.bundles / bundle)

    def index(self, folder: pathlib.Path) -> pathlib.Path | None:
        if (folder / "index.html").exists():
            return folder / "index.html"
        found = (self.index(path) for path in folder.iterdir() if path.is_dir())
        return next((path for path in found if path), None)


class CordovaHCP:
    """nordnet/cordova-hot-code-push at 01637672.

    Files: src/android/src/com/nordnetab/chcp/main/: updater/UpdateLoaderWorker.java, InstallationWorker.java;
    config/ContentConfig.java, config/ContentManifest.java, network/FileDownloader.java and
    utils/URLUtility.java; src/ios/Config/HCPContentConfig.m.
    """

    def __init__(self, folder: pathlib.Path, www: pathlib.Path, config: bytes, manifest: bytes):
        """Installs the app: its own pages, with the two files that describe them."""
        self.folder = folder
        self.www = folder / "builtin" / "www"
        shutil.copytree(www, self.www)
        (self.www / "chcp.json").write_bytes(config)
        (self.www / "chcp.manifest").write_bytes(manifest)
        self.downloads = 0

    def tree(self) -> dict[str, str]:
        return {name: digest for name, digest in files(self.www).items() if not name.startswith("chcp.")}

    def update(self, config_url: str) -> bool:
        """Downloads and installs, as after the next start."""
        text = fetch(config_url)
        config = json.loads(text)
        release, content = config.get("release", ""), config.get("content_url", "")
        if not release or not content:
            raise ClientError("the new application config is invalid")
        if release == json.loads((self.www / "chcp.json").read_bytes())["release"]:
            return False
        if config.get("min_native_interface", 0) > 1:
            raise ClientError("the application build version is too low")
        manifest = fetch(self.address(content, "chcp.manifest"))
        new = {entry["file"]: entry["hash"] for entry in json.loads(manifest)}
        old_manifest = json.loads((self.www / "chcp.manifest").read_bytes())
        old = {entry["file"]: entry["hash"] for entry in old_manifest}
        changed = [name for name in new if old.get(name) != new[name]]
        if not changed and old.keys() <= new.keys():
            (self.www / "chcp.json").write_bytes(text)
            (self.www / "chcp.manifest").write_bytes(manifest)
            return False
        update = self.folder / release / "update"
        shutil.rmtree(update, ignore_errors=True)
        for name in changed:
            target = update / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(fetch(self.address(content, name)))
            self.downloads += 1
            if hashlib.md5(target.read_bytes()).hexdigest() != new[name]:
                shutil.rmtree(self.folder / release, ignore_errors=True)
                raise ClientError(f"file is corrupted: {name}")
        self.install(release, update, set(old) - set(new), text, manifest)
        if config.get("update") not in ("start", "resume", "now"):
            raise ClientError("iOS never installs an update without its time")
        return True

    def install(
        self, release: str, update: pathlib.Path, deleted: set[str], config: bytes, manifest: bytes
    ) -> None:
        www = self.folder / release / "www"
        shutil.rmtree(www, ignore_errors=True)
        shutil.copytree(self.www, www)
        for name in deleted:
            (www / name).unlink()
        if update.exists():
            shutil.copytree(update, www, dirs_exist_ok=True)
        (www / "chcp.json").write_bytes(config)
        (www / "chcp.manifest").write_bytes(manifest)
        self.www = www

    @staticmethod
    def address(content: str, name: str) -> str:
        """URLUtility.construct and stringToUrl: the path of the joined address is encoded, '%' included."""
        joined = f"{content.strip('/')}/{name.rstrip('/')}"
        if not joined.startswith("http"):
            joined = "http://" + joined
        parts = urllib.parse.urlsplit(joined)
        path = urllib.parse.quote(parts.path, safe="/;:@&=+$,!~*'()")
        return urllib.parse.urlunsplit(parts._replace(path=path))
