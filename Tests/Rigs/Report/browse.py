#!/usr/bin/env python3
"""Opens reports in headless Chromium: no errors, no requests, accessible, at two widths in two themes.

    Tests/Rigs/Report/browse.py PACKTOOL [--shots DIRECTORY] [--chromium PROGRAM]

Needs Chromium (Debian's chromium) and, from PyPI, playwright and axe-core-python. The releases are created
here: the example shop, and a build whose file names, labels and contents are markup.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from axe_core_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[3]
SHOP = ROOT / "examples/storefront"
WIDTHS = (1280, 400)
# A name cannot contain a slash, so its tags have none.
EVIL = ["<script>parent.hit=1<script>.js", "\"><img src=x onerror=parent.hit=1>.css", "'onload='hit=1'.png",
        "&lt;b&gt;.html", "${hit}`.txt", "</title><h1>x.txt".replace("/", "_")]


class Reports:
    def __init__(self, packtool, work):
        self.packtool, self.work = packtool, work

    def run(self, *words, cwd=None):
        done = subprocess.run([self.packtool, *map(str, words)], cwd=cwd or self.work, capture_output=True,
                              text=True, timeout=300)
        assert done.returncode == 0, (words, done.stderr)
        return done.stdout

    def shop(self):
        """A report with an origin of three releases: history, routes, findings of a damaged page."""
        work = self.work / "shop"
        work.mkdir()
        new = work / "dist"
        shutil.copytree(SHOP / "dist/1.1.0", new)
        config = work / "packtool.yaml"
        config.write_text((SHOP / "packtool.yaml").read_text() +
                          ("" if "budgets" in (SHOP / "packtool.yaml").read_text() else
                           "\ncheck:\n  budgets: {package: 1 MB, update: 1 B, files: 500}\n"))
        for number, name in enumerate(("1.0.0", "1.1.0", "1.0.0")):
            self.run("publish", SHOP / "dist" / name, "--to", "cdn", "--config", config, "--label",
                     f"{name}-{number}", "--quiet", cwd=work)
        page = next(new.glob("**/index.html"))
        page.write_text(page.read_text() + '<img src="gone.png"><img src="http://other.example/x.png">\n')
        self.run("report", "cdn", "dist", "-o", "report.html", "--config", config, cwd=work)
        return work / "report.html"

    def evil(self):
        work = self.work / "evil"
        (work / "old").mkdir(parents=True)
        (work / "old/index.html").write_text("<!doctype html><title>x</title>")
        shutil.copytree(work / "old", work / "new")
        for name in EVIL:
            (work / "new" / name).write_text(name * 40)
        (work / "new/page.html").write_text(
            '<!doctype html><title>x</title><img src="</pre><script>parent.hit=1</script>">'
            '<script src="<b>&quot;\'.js"></script>')
        self.run("publish", "old", "--to", "cdn", "--app", "a", "--base-url", "https://a.example",
                 "--no-check", "--label", "<script>parent.hit=1</script>", "--quiet", cwd=work)
        self.run("report", "cdn", "new", "-o", "report.html", cwd=work)
        self.run("report", "new", "-o", "alone.html", cwd=work)
        return work / "report.html", work / "alone.html"


def browse(browser, path, shots):
    name = f"{path.parent.name}-{path.stem}"
    problems = []
    for width in WIDTHS:
        for theme in ("light", "dark"):
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)
            page = context.new_page()
            page.on("console", lambda message: problems.append(f"console: {message.text}"))
            page.on("pageerror", lambda error: problems.append(f"error: {error}"))
            page.on("request", lambda request: problems.append(f"request: {request.url}")
                    if request.url != path.as_uri() else None)
            page.goto(path.as_uri())
            assert page.title(), path
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                problems.append(f"{width} px: the page is {wide} px wide")
            # All foreign names are text: no elements except those of the report.
            foreign = page.evaluate(
                "document.querySelectorAll('script, img, iframe, object, [onerror], [onload], b').length")
            if foreign or page.evaluate("window.hit || parent.hit || 0"):
                problems.append("foreign markup became markup")
            for result in Axe().run(page)["violations"]:
                nodes = [node["html"][:150] for node in result["nodes"][:3]]
                problems.append(f"axe, {theme}, {width} px: {result['id']}: {result['help']}: {nodes}")
            if shots:
                page.screenshot(path=shots / f"{name}-{width}-{theme}.png", full_page=True)
            context.close()
    return problems


def keyboard(browser, path):
    """Keyboard use: the sizes switch, the details open, tables can be scrolled."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    shown = "[...document.querySelectorAll('.map')].map(m => getComputedStyle(m).display)"
    assert page.evaluate(shown) == ["block", "none"], page.evaluate(shown)
    page.focus("#size-raw")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(shown) == ["none", "block"], page.evaluate(shown)
    reached = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("(e => e.tagName + (e.className || ''))(document.activeElement)"))
    assert {"A", "SUMMARY", "DIVscroll"} <= reached, reached
    page.focus("details:not([open]) > summary")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.parentElement.open")
    page.close()


def printed(browser, path, shots):
    """Printed pages include the content of closed details."""
    page = browser.new_page()
    page.goto(path.as_uri())
    pdf = page.pdf(path=shots / f"{path.parent.name}.pdf" if shots else None, prefer_css_page_size=True)
    assert pdf.startswith(b"%PDF")
    page.emulate_media(media="print")
    hidden = page.evaluate("[...document.querySelectorAll('details')].filter(d => "
                           "d.querySelector(':scope > *:not(summary)').getClientRects().length === 0).length")
    assert hidden == 0, f"{hidden} details are not printed"
    page.close()


def areas(browser, path):
    """Checks the treemap: areas in the browser are proportional to the file sizes on disk."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    found = page.evaluate("""[...document.querySelectorAll('.raw .wide rect:not(.folder)')].map(r =>
        [r.querySelector('title').textContent, r.getBBox().width * r.getBBox().height])""")
    build, checked = path.parent / "dist", []
    for title, area in found:
        file = build / title.rsplit(", ", 1)[0]
        if file.is_file() and file.stat().st_size > 2000:
            # Siblings in a directory have the same scale; each directory loses some area to its name.
            checked.append((str(file.parent), area / file.stat().st_size))
    assert len(checked) > 3, found
    for folder in {folder for folder, _ in checked}:
        scales = [scale for other, scale in checked if other == folder]
        assert max(scales) / min(scales) < 1.05, (folder, scales)
    page.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("packtool", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--shots", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--chromium", default=shutil.which("chromium"))
    options = parser.parse_args()
    if options.shots:
        options.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        reports = Reports(options.packtool, pathlib.Path(work))
        shop, pages = reports.shop(), []
        pages = [shop, *reports.evil()]
        browser = playwright.chromium.launch(executable_path=options.chromium, args=["--no-sandbox"])
        problems = {}
        for page in pages:
            problems[page.parent.name + "/" + page.stem] = browse(browser, page, options.shots)
        keyboard(browser, shop)
        printed(browser, shop, options.shots)
        areas(browser, shop)
        browser.close()
        found = {name: list(dict.fromkeys(lines)) for name, lines in problems.items() if lines}
        if found:
            sys.exit(json.dumps(found, indent=2))
    print(f"reports: {len(pages)} pages in {len(WIDTHS)} widths and 2 themes, no problem")


if __name__ == "__main__":
    main()
