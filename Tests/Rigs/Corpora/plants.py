"""Damage that adds or changes something in a page or a script, and harmless changes."""

import re

from references import SCRIPTS, tags
from victims import (
    LOADING,
    PUBLIC_PATH,
    VITE_BASE,
    WRONG_SHA256,
    WRONG_SHA384,
    Damage,
    an_image,
    excerpt,
    first,
    in_body,
    in_head,
    in_script,
    kind,
    of_page,
    relative,
)


@kind
def wrong_base(build):
    """Only if the page has a relative URL affected by the base."""
    if not relative(build):
        return None
    for tag, attributes, _, _ in tags(build.read(build.page.file)):
        if tag == "base" and "href" in attributes:
            value, at = attributes["href"]
            data = build.read(build.page.file)
            data = data[:at] + b"/portal/" + data[at + len(value):]
            return Damage("base", {build.page.file: data}, [(build.page.file, None)])
    damage = in_head(build, '<base href="/portal/">')
    return damage and damage._replace(places=[(build.page.file, None)])


@kind
def public_path(build):
    """For a runtime that names chunks: webpack's, or Vite's preload function. Nuxt 2 sets its own later."""
    if build.page and b"__NUXT__={config:" in build.read(build.page.file):
        return None
    for name in sorted({r.file for r in build.of("webpack-chunk")}) + build.texts(*SCRIPTS):
        data = build.read(name)
        found = VITE_BASE.search(data)
        if not found and name in {r.file for r in build.of("webpack-chunk")}:
            found = PUBLIC_PATH.search(data)
        if found:
            data = data[:found.start(1)] + b"/portal/" + data[found.end(1):]
            code = excerpt(build, name, found.start())
            return Damage(found.group().decode(), {name: data}, [(name, None)], code)
    return None


@kind
def css_import(build):
    reference = first(of_page(build, "html-sheet"))
    if reference is None:
        return None
    data = b'@import "./planted-gone.css";\n' + build.read(reference.target)
    return Damage(reference.target, {reference.target: data}, [(reference.target, 1)])


@kind
def wrong_integrity(build):
    reference = first(of_page(build, "html-script", "html-sheet"))
    if reference is None:
        return None
    data = build.read(reference.file)
    tag = max(data.rfind(b"<script", 0, reference.offset), data.rfind(b"<link", 0, reference.offset))
    at = data.index(b" ", tag)
    data = data[:at] + f' integrity="{WRONG_SHA384}"'.encode() + data[at:]
    return Damage(reference.target, {reference.file: data},
                  [(reference.file, build.line(reference.file, reference.offset, data))])


@kind
def wrong_hash_in_policy(build):
    """Own scripts stay allowed, an inline one does not."""
    sources = f"script-src 'self' capacitor: blob: data: 'unsafe-eval' 'wasm-unsafe-eval' {WRONG_SHA256}"
    damage = in_head(build, f'<meta http-equiv="Content-Security-Policy" content="{sources}">\n'
                            "<script>window.planted = 1</script>", elsewhere=("csp",))
    if damage is None:
        return None
    return damage._replace(places=[(build.page.file, None)])


@kind
def policy_without_images(build):
    image = an_image(build)
    return image and in_head(build, '<meta http-equiv="Content-Security-Policy" content="img-src https:">\n'
                                    f'<img src="/{image}" alt="">', elsewhere=("csp",))


@kind
def import_map_address(build):
    return in_head(build, '<script type="importmap">{"imports": {"planted": "./planted-gone.js"}}</script>\n'
                          '<script type="module">import "planted"</script>')


@kind
def import_map_broken(build):
    return in_head(build, '<script type="importmap">{"imports": {"planted": "./planted.js",}}</script>\n'
                          '<script type="module">import "planted"</script>')


@kind
def bare_specifier(build):
    return in_head(build, '<script type="module">import { start } from "planted-library"; start()</script>')


@kind
def other_root(build):
    reference = first(of_page(build, "html-script", "html-sheet"))
    if reference is None:
        return None
    data = build.read(reference.file)
    after = data[reference.offset + len(reference.text.encode()):]
    data = data[:reference.offset] + b"/portal/" + reference.target.encode() + after
    return Damage(reference.text, {reference.file: data},
                  [(reference.file, build.line(reference.file, reference.offset, data))])


@kind
def page_moved(build):
    """Copies the page one level down, which breaks its relative URLs."""
    if not relative(build) or build.page.base != f"https://localhost/{build.page.file}":
        return None
    return Damage("planted/page.html", {"planted/page.html": build.read(build.page.file)},
                  [("planted/page.html", None)], elsewhere=("duplicate-content", "basename-collision"))


@kind
def srcset_candidate(build):
    image = an_image(build)
    return image and in_body(build, f'<img src="/{image}" srcset="/{image} 1x, /planted-2x.png 2x" alt="">')


@kind
def scheme_swapped(build):
    reference = first(of_page(build, "html-script", "html-sheet"))
    if reference is None:
        return None
    data = build.read(reference.file)
    after = data[reference.offset + len(reference.text.encode()):]
    data = data[:reference.offset] + b"otherapp://localhost/" + reference.target.encode() + after
    return Damage(reference.text, {reference.file: data},
                  [(reference.file, build.line(reference.file, reference.offset, data))])


@kind
def launch_page_deleted(build):
    page = build.page
    return page and Damage(page.file, {page.file: None}, [("*", None)], options=("--launch", page.file))


@kind
def blocking_script_of_another_host(build):
    return in_head(build, '<script src="https://cdn.example.org/planted.js"></script>')


@kind
def stylesheet_of_another_host(build):
    return in_head(build, '<link rel="stylesheet" href="https://fonts.example.org/css2?family=Planted">')


@kind
def module_in_page(build):
    return in_head(build, '<script type="module">import("./planted-gone.js")</script>')


@kind
def frame(build):
    return in_body(build, '<iframe src="planted-frame.html" title="planted"></iframe>')


@kind
def link_to_page(build):
    return in_body(build, '<a href="planted-page.html">planted</a>')


@kind
def inline_style(build):
    return in_body(build, '<div style="background-image: url(/planted-background.png)"></div>')


@kind
def fetch_of_api(build):
    return in_script(build, 'fetch("/planted-api/list").then(r => r.json()).then(console.log);')


@kind
def request_of_api(build):
    return in_script(build, 'var planted = new XMLHttpRequest(); planted.open("GET", "/planted-api/list"); '
                            "planted.send();")


@kind
def image_set_by_script(build):
    return in_script(build, 'var planted = new Image(); planted.src = "/img/planted-logo.4f2a9c1b.png";')


@kind
def script_added_by_script(build):
    return in_script(build, 'var planted = document.createElement("script"); '
                            'planted.src = "/planted/vendor.js"; document.head.appendChild(planted);')


@kind
def worker_missing(build):
    return in_script(build, 'new Worker("/planted-worker.js");')


# Harmless: nothing above hint may appear.

@kind
def harmless_icon_deleted(build):
    used = {r.target for r in build.of(*LOADING)}
    reference = first([r for r in build.of("html-icon") if r.target not in used])
    return reference and Damage(reference.target, {reference.target: None}, None,
                                excerpt(build, reference.file, reference.offset))


@kind
def harmless_icon_of_manifest(build):
    for reference in build.of("html-manifest"):
        data = build.read(reference.target)
        found = re.search(rb"\"src\":\s*\"([^\"]+)\"", data)
        if found:
            data = data[:found.start(1)] + b"planted-icon.png" + data[found.end(1):]
            return Damage(reference.target, {reference.target: data}, None)
    return None


@kind
def harmless_unused_file_deleted(build):
    for name in sorted(build.files):
        last = name.rsplit("/", 1)[-1]
        if name.endswith((".txt", ".md", ".eot")) and not build.mentions(last):
            return Damage(name, {name: None}, None)
    return None
