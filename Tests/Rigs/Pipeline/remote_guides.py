#!/usr/bin/env python3
"""Runs the commands of docs/guide/s3.md and docs/guide/cdn.md.

  Tests/Rigs/Pipeline/remote_guides.py PACKTOOL

Those of s3.md run against the strict store of Tests/Rigs/Remote/bucket.py: only the addresses of the store
and of the CDN are replaced in the commands. Those of cdn.md run behind the guide's own nginx cache, in front
of the nginx of docs/guide/origin.md; 'verify' must report the same cache without 'gzip off'.
"""
import asyncio
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

import guides

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Remote"))
import bucket as store
import cdn
import front

# The remote rigs also have a module 'origin'.
del sys.modules["origin"]
sys.path.insert(0, str(ROOT / "Tests/Rigs/Pipeline"))
import origin

S3 = (guides.GUIDES / "s3.md").read_text()
CDN = (guides.GUIDES / "cdn.md").read_text()
SHOP = guides.SHOP
CACHE = "/var/cache/nginx"


@contextlib.contextmanager
def running(listener):
    """Runs a server of the rigs in parallel with the commands."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    def await_(step):
        return asyncio.run_coroutine_threadsafe(step, loop).result(60)

    await_(listener.__aenter__())
    try:
        yield listener
    finally:
        await_(listener.__aexit__())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def block(page, language, has):
    """The only fenced block containing a text."""
    found = [text for text in re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
             if has in text]
    assert len(found) == 1, f"the guide has {len(found)} blocks with '{has}'"
    return found[0]


def commands(page):
    """The indented blocks that are commands, and those that are output."""
    blocks = [re.sub(r"^    ", "", text, flags=re.MULTILINE) for text in guides.indented(page)]
    said = [text for text in blocks if text.startswith("error")]
    return [text for text in blocks if text not in said], said


def tools(packtool, work):
    folder = work / "tools"
    folder.mkdir(parents=True)
    (folder / "packtool").symlink_to(packtool)
    return folder


def says(text, example):
    """Asserts that a program printed the lines of an example; '…', numbers and versions may differ."""
    others = {"…": ".*"}
    for line in filter(None, map(str.strip, example.splitlines())):
        parts = re.split(r"(…|\b[0-9a-f]{20}\b|\d[\d,]*)", line)
        odd = [others.get(part, r"[0-9a-f]{20}" if len(part) == 20 else r"\d[\d,]*") for part in parts[1::2]]
        wanted = "".join(re.escape(part) + other for part, other in zip(parts[::2], odd + [""]))
        assert re.search(wanted, text), f"the guide shows\n{line}\nand the program says\n{text}"


def s3_guide(packtool, work):
    place, folder = work / "project", tools(packtool, work)
    place.mkdir()
    shutil.copytree(SHOP / "1.0.0", place / "dist")
    store.REGION = "eu-central-1"
    shop, count = store.Bucket(name="shop-cdn"), 0
    shop.seen = []
    scripts, said = commands(S3)
    assert len(scripts) == 9 and len(said) == 2, (scripts, said)
    first, policy, conditions, prune, abandon, repair, installed, cache, against = scripts
    with running(shop), running(front.Front(shop, prefix="storefront/")) as edge:
        def run(script, **more):
            nonlocal count
            count += sum(not line.startswith("#") for line in script.splitlines() if line.strip())
            keys = f"AWS_ACCESS_KEY_ID={store.KEY} AWS_SECRET_ACCESS_KEY={store.SECRET}"
            script = script.replace("AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=…", keys)
            script = script.replace("https://s3.example.com", shop.url)
            script = script.replace("https://cdn.example.com/storefront", edge.url)
            return guides.run(script, place, folder, **more)

        # The rig with which a reader tests a store; here with one round of publishers.
        trial = next(text for text in guides.fenced(S3) if "servers.py" in text).split("#")[0].strip()
        known = {"AWS_ACCESS_KEY_ID": store.KEY, "AWS_SECRET_ACCESS_KEY": store.SECRET,
                 "AWS_REGION": store.REGION, "PACKTOOL": str(packtool)}
        trial = trial.replace("my-test-bucket", "shop-cdn").replace("python3", sys.executable)
        done = run(f"cd {ROOT}; {trial} --short --rounds 1", **known)
        assert "1 rounds, 0 failures" in done.stdout, done.stdout
        assert any(key.startswith("rig-") for key in shop.objects), "the trial wrote elsewhere"

        (place / "packtool.yaml").write_text("app: storefront\nbase-url: https://cdn.example.com/storefront\n")
        run(first)
        settings = block(S3, "yaml", "endpoint:")
        (place / "packtool.yaml").write_text(settings.replace("https://s3.example.com", shop.url))
        shop.seen.clear()
        # The program that prints credentials, under the guide's name for it.
        (place / "aws.config").write_text(block(S3, "ini", "credential_process"))
        printed = {"Version": 1, "AccessKeyId": store.KEY, "SecretAccessKey": store.SECRET}
        (folder / "aws").write_text(
            '#!/bin/sh\n[ "$*" = "configure export-credentials --profile sso" ] || exit 1\n'
            f"echo '{json.dumps(printed)}'\n")
        (folder / "aws").chmod(0o755)
        profile = {"AWS_PROFILE": "ci", "AWS_CONFIG_FILE": str(place / "aws.config")}
        shutil.rmtree(place / "dist")
        shutil.copytree(SHOP / "1.1.0", place / "dist")
        run(cache, **profile)
        assert list((place / ".cache/packtool").iterdir()), "nothing was cached"
        written = [(target, headers) for method, target, headers, _ in shop.seen
                   if method == "PUT" and "/objects/" in target]
        assert written and all(headers["x-amz-server-side-encryption"] == "aws:kms"
                               and headers["x-amz-acl"] == "bucket-owner-full-control"
                               for _, headers in written), written
        policies = json.loads(run(policy, **profile).stdout)
        assert sorted(policies) == ["bucket", "identity"] and all(policies.values()), policies
        run(conditions, **profile)
        run(against, **profile)
        for it in shop.objects.values():
            it.fields = {name: value for name, value in it.fields.items() if name != "cache-control"}
        run(repair, **profile)
        assert all("cache-control" in it.fields for key, it in shop.objects.items()
                   if key.startswith("storefront/") and "/.packtool/" not in key)
        run(installed, **profile)
        earlier = shop.objects.copy()
        for key in [key for key in earlier if key.endswith("/package.zip")]:
            shop.objects[key] = store.Object(earlier[key].body[::-1], earlier[key].fields)
        done = subprocess.run([packtool, "rollback"], cwd=place, capture_output=True, text=True,
                              env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(place)} | profile)
        assert done.returncode == 1, done
        says(done.stderr, said[1])
        shop.objects = earlier
        run(prune, **profile)
        run(abandon, **profile)
        # Each release made in the guide is complete.
        run("packtool install s3://shop-cdn/storefront --into phone --quiet", **profile)
        assert subprocess.run(["diff", "-r", SHOP / "1.1.0", place / "phone/current/"]).returncode == 0
        assert not shop.refused, shop.refused

        shop.conditions = "ignored"
        (place / "dist/robots.txt").write_text("User-agent: *\n")
        done = subprocess.run(
            [packtool, "publish", "dist"], cwd=place, capture_output=True, text=True,
            env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(place)} | profile)
        assert done.returncode == 2, done
        says(done.stderr, said[0])
    return count


def cache_around(work, text, port, upstream):
    """The guide's configuration of a cache, in a separate server that logs its cache status."""
    assert text.count(CACHE) == 1 and text.count("\nlocation /shop/ {") == 1, text
    outside, _, location = text.replace(CACHE, f"{work}/cache").partition("\nlocation ")
    return (f"{outside}\nupstream origin {{ server 127.0.0.1:{upstream}; }}\n"
            "log_format had '$upstream_cache_status $status $uri';\n"
            f"server {{ listen 127.0.0.1:{port}; access_log {work}/had.log had;\nlocation {location}\n}}\n")


def cdn_guide(packtool, work):
    text = block(CDN, "nginx", "proxy_cache_path")
    count = 0
    for name, setting, code in (("guide", "", ""), ("twin", "  gzip off;\n", "http.compressed")):
        assert setting in text, setting
        count += cdn_behind(packtool, work / name, text.replace(setting, ""), code)
    stale_cdn(packtool, work / "stale")
    return count


def stale_cdn(packtool, work):
    """The guide's example of a CDN that caches pointers must match the output of a publish."""
    place, said = work / "project", commands(CDN)[1]
    (place / "dist").mkdir(parents=True)
    (place / "dist/index.html").write_text("<!doctype html><title>shop</title>\n")
    with running(cdn.CDN(place / "cdn")) as edge:
        words = [packtool, "publish", "dist", "--to", "cdn", "--app", "shop", "--base-url", edge.url]
        subprocess.run([*words, "--no-check", "--quiet"], cwd=place, check=True)
        old = {str(path.relative_to(place / "cdn")): path.read_bytes()
               for path in (place / "cdn").rglob("*") if path.is_file()}
        edge.change = front.kept(old, front.POINTER)
        (place / "dist/more.css").write_text("body{}\n")
        done = subprocess.run([*words, "--no-check", "--verify-cdn", "--cdn-wait", "1"], cwd=place,
                              capture_output=True, text=True)
        assert done.returncode == 1, done
        says(done.stdout + done.stderr, said[0].replace("https://cdn.example.com/shop", edge.url))


def cdn_behind(packtool, work, text, code):
    """The guide's commands behind the cache; 'code' is the finding of 'verify' for a wrong cache."""
    place, folder, port = work / "project", tools(packtool, work), origin.free_port()
    place.mkdir()
    url, count = f"http://127.0.0.1:{port}/shop", 0
    (place / "packtool.yaml").write_text(f"app: shop\nto: cdn\nbase-url: {url}\n")
    (work / "cdn").mkdir()
    (work / "cdn/shop").symlink_to(place / "cdn")
    server = origin.Server(work, lambda upstream: cache_around(work, text, port, upstream))
    scripts, said = commands(CDN)
    assert len(scripts) == 3 and len(said) == 1, (scripts, said)
    verify, nightly, publish = scripts

    def run(script, **more):
        nonlocal count
        count += len(script.splitlines())
        return guides.run(script.replace("https://cdn.example.com/shop", url), place, folder, **more)

    def found(script):
        """The exit code, and the findings."""
        done = subprocess.run(
            ["bash", "-c", f"{script.strip()} --json".replace("https://cdn.example.com/shop", url)],
            cwd=place, capture_output=True, text=True,
            env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(place)})
        return done.returncode, {finding["code"] for finding in json.loads(done.stdout)["findings"]}

    try:
        server.wait()
        shutil.copytree(SHOP / "1.0.0", place / "dist")
        run("packtool publish dist --quiet --no-check")
        shutil.rmtree(place / "dist")
        shutil.copytree(SHOP / "1.1.0", place / "dist")
        # Requested too early: a cache that keeps this 404 breaks the release for its clients.
        early = f"/shop/objects/{'0' * 64}/early.txt"
        assert subprocess.run(["curl", "-sf", f"http://127.0.0.1:{port}{early}"]).returncode == 22
        (place / "cdn/objects" / ("0" * 64)).mkdir(parents=True)
        (place / f"cdn/{early[6:]}").write_text("there\n")
        subprocess.run(["curl", "-sf", f"http://127.0.0.1:{port}{early}"], check=True, capture_output=True)
        shutil.rmtree(place / "cdn/objects" / ("0" * 64))
        run(publish if not code else "packtool publish dist --quiet --no-check")
        status, codes = found(verify)
        assert codes == ({code} if code else set()), f"verify found {codes}"
        assert code or status == 0, status
        if not code:
            run(verify)
            run(nightly, GITHUB_STEP_SUMMARY=str(work / "summary.md"))
            assert (work / "summary.md").read_text().strip(), "no summary"
        run(f"packtool install {url} --into phone --quiet")
        assert subprocess.run(["diff", "-r", SHOP / "1.1.0", place / "phone/current/"]).returncode == 0
        had = (work / "had.log").read_text().splitlines()
        kept = [line for line in had if re.match(r"HIT 20[06] /shop/(objects|releases)/", line)]
        assert len(kept) > 9, f"the cache kept nothing: {had[:40]}"
    finally:
        server.process.terminate()
        server.process.wait()
    return count


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    packtool = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        os.chmod(work, 0o755)
        print(f"remote guides: {s3_guide(packtool, work / 's3')} commands of s3.md and "
              f"{cdn_guide(packtool, work / 'cdn')} of cdn.md ran")


if __name__ == "__main__":
    main()
