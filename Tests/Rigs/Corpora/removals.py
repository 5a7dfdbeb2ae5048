"""Damage that removes something: deleted and renamed files, literals of other files, truncated scripts."""

from references import FONTS, IMAGES, SCRIPTS
from victims import (
    Damage,
    broken,
    cut,
    deleted,
    entry,
    excerpt,
    first,
    kind,
    lazy,
    not_icons,
    of_page,
    other_case,
    renamed,
)


@kind
def entry_deleted(build):
    return deleted(build, entry(build))


@kind
def lazy_chunk_deleted(build):
    return deleted(build, first(lazy(build)))


@kind
def second_chunk_deleted(build):
    """A chunk of another runtime, a build manifest or a preload map, if available."""
    one = first(lazy(build))
    dynamic = {r.target for r in lazy(build)} | {r.target for r in build.of("html-script", "html-preload")}
    others = [r for r in build.of("vite-map", "next-manifest")
              if r.target.endswith(SCRIPTS) and r.target not in dynamic]
    others = others or [r for r in lazy(build) if one and r.file != one.file and r.target != one.target]
    return deleted(build, first(others) or first(lazy(build), 1))


@kind
def module_deleted(build):
    known = {r.target for r in build.of("html-script", "html-preload", "js-dynamic")}
    return deleted(build, first([r for r in build.of("js-static") if r.target not in known]))


@kind
def stylesheet_deleted(build):
    return deleted(build, first(of_page(build, "html-sheet")))


@kind
def lazy_stylesheet_deleted(build):
    known = {r.target for r in build.of("html-sheet")}
    sheets = [r for r in build.of("webpack-sheet", "vite-map") if r.target.endswith(".css")]
    return deleted(build, first([r for r in sheets if r.target not in known]))


@kind
def image_in_html_deleted(build):
    return deleted(build, first([r for r in build.of("html-image") if r.target.endswith(IMAGES)]))


@kind
def image_in_css_deleted(build):
    return deleted(build, first(build.of("css-image")))


@kind
def asset_of_module_deleted(build):
    assets = [r for r in build.of("js-prefixed", "js-new-url") if r.target.endswith(IMAGES + FONTS)]
    return deleted(build, first(assets))


@kind
def image_literal_deleted(build):
    images = [r for r in build.of("js-rooted", "html-literal") if r.target.endswith(IMAGES)]
    return deleted(build, first(not_icons(build, images)))


@kind
def image_in_markup_literal_deleted(build):
    return deleted(build, first(not_icons(build, build.of("js-markup"))))


@kind
def font_renamed(build):
    reference = first(build.of("css-font"))
    reference = reference or first([r for r in build.of("js-prefixed") if r.target.endswith(FONTS)])
    return renamed(build, reference, reference and reference.target.replace(".", "-new.", 1))


@kind
def case_of_script(build):
    reference = first(of_page(build, "html-script", "html-import"))
    return renamed(build, reference, reference and other_case(reference.target))


@kind
def case_of_chunk(build):
    reference = first(lazy(build), 2)
    return renamed(build, reference, reference and other_case(reference.target))


@kind
def case_of_asset(build):
    reference = first(build.of("css-image", "css-font"), 1) or first(build.of("js-prefixed", "js-new-url"), 1)
    return renamed(build, reference, reference and other_case(reference.target))


@kind
def literal_in_html(build):
    return broken(build, first(of_page(build, "html-script", "html-sheet")))


@kind
def literal_in_inline_script(build):
    return broken(build, first(of_page(build, "html-import", "html-literal")))


@kind
def literal_in_css(build):
    return broken(build, first(build.of("css-image", "css-font"), 2))


@kind
def literal_of_import(build):
    return broken(build, first(build.of("js-static", "js-dynamic"), 1))


@kind
def literal_of_asset(build):
    assets = build.of("js-prefixed", "js-new-url", "js-rooted", "js-markup")
    return broken(build, first(not_icons(build, assets), 2))


@kind
def literal_in_map(build):
    """A hash in the bundler's chunk map, or a style sheet in Vite's map, whose scripts are only preloaded."""
    reference = first([r for r in build.of("vite-map") if r.target.endswith(".css")], 1)
    if reference:
        return broken(build, reference)
    reference = first(lazy(build), 3)
    if reference is None or reference.kind != "webpack-chunk":
        return None
    data = build.read(reference.file)
    changed = data[:reference.offset] + b"0e0e" + data[reference.offset:]
    return Damage(f"chunk {reference.text} in {reference.file}", {reference.file: changed},
                  [(reference.file, None)] + [(n, None) for n in build.called[reference.text]],
                  excerpt(build, reference.file, reference.offset))


@kind
def script_truncated(build):
    reference = entry(build)
    return cut(build, reference.target) if reference else None


@kind
def chunk_truncated(build):
    reference = first(lazy(build), 1)
    return cut(build, reference.target) if reference else None


@kind
def worker_deleted(build):
    workers = build.of("js-worker") + [r for r in build.of("webpack-chunk") if r.text in build.workers]
    return deleted(build, first(workers))


@kind
def webassembly_deleted(build):
    modules = [r for r in build.of("js-new-url", "js-rooted") if r.target.endswith(".wasm")]
    return deleted(build, first(modules))
