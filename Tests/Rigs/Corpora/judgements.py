"""Verdicts on all kinds of findings in the corpora, based on reading the excerpts.

A kind of finding without a verdict fails the run of read.py.
"""

# Defects in any package of these projects, regardless of the rewrite: (project, rule) -> reason.
ERRORS = {
    ("argilla", "js-public-path"): "Nuxt's public path is a placeholder that the server replaces",
    ("argilla", "js-relative-ajax"): "the API of its own server, by a path",
    ("argilla", "unresolved-placeholder"): "the server replaces `@@baseUrl@@` in every file",
    ("gns3", "root-mismatch"): "the page's base is `/static/web-ui/`, where its server mounts the build",
    ("home-assistant", "js-relative-ajax"): "the API of its own server, by a path",
    ("mlflow", "js-public-path"): "`static-files/` exists on the server alone; the chunks are beside the page",
    (
        "open-webui",
        "external-subresource",
    ): "pyodide's two console pages load jQuery and xterm from CDNs in their heads; the app links neither",
    ("prefect", "js-public-path"): "Vite's base is a placeholder that the server replaces when it starts",
    (
        "dagster",
        "unresolved-placeholder",
    ): "the server replaces the prefix in every page it sends; in a package nobody does",
    ("home-assistant", "unresolved-placeholder"): "a script of a page is a template that the server fills in",
    ("locust", "unresolved-placeholder"): "a script of a page is a template that the server fills in",
    ("jupyterlab", "unresolved-placeholder"): "`index.html` is a template that the server fills in",
    ("jupyterlab", "missing-file"): "the icon is not in this wheel",
    ("jupyterlab", "path-mismatch"): "the same",
    (
        "prefect",
        "unresolved-placeholder",
    ): "the server replaces the base in pages and style sheets when it starts",
    ("prefect", "missing-file"): "three icons at the root that the build has in `ico/`",
    (
        "prefect",
        "path-mismatch",
    ): "the same three icons: a client that looks at names alone finds them by luck",
    (
        "mlflow",
        "missing-file",
    ): "the wheel's layout is not the server's: `static-files/` exists on the server alone",
    ("mlflow", "root-mismatch"): "the same, of the page in `lib/`",
    ("mlflow", "path-mismatch"): "the same, where the client looks at names alone",
    (
        "mlflow",
        "mime-unknown",
    ): "pdf.js' worker is a module named `.mjs`, for which a handler that asks iOS has no type; none left where the profile's `media-types` names it",
    ("mlflow", "basename-collision"): "two pages named `index.html` in a flat directory",
    (
        "mlflow",
        "fragment-in-subresource",
    ): "an SVG font behind better formats; the handler takes `#…` for part of the name",
    ("mlflow", "js-relative-ajax"): "the API of its own server, by a path",
    (
        "mlflow",
        "js-sync-xhr",
    ): "see js-sync-xhr below; this client runs on iOS 11 and 12, whose web process ends",
    (
        "open-webui",
        "js-history-router",
    ): "SvelteKit looks up the path in its dictionary, which has no `/index.html`; the engine shows its error page",
    (
        "open-webui",
        "mime-unknown",
    ): "modules named `.mjs` (pdf.js, pyodide, onnxruntime); none left where `media-types` names them",
    ("open-webui", "js-relative-ajax"): "the API of its own server, by a path",
    ("open-webui", "basename-collision"): "`README.md` and `BRANDING.md` twice in a flat directory",
    ("open-webui", "js-sync-xhr"): "see js-sync-xhr below",
}

# rule -> (description of the case, reason why it stays a warning)
WARNINGS = {
    "entry-missing": "optuna's wheel has no page, its server writes it: a package of it alone cannot start",
    "external-subresource": "fonts of Google, an analytics script and a module of unpkg: missing offline, and the page goes on",
    "js-relative-ajax": "two pages of home-assistant ask for the same API early, behind a condition that is most likely not true",
    "js-missing-file": "open-webui opens `/auth` by `location`: a route that a server answers with the start page; this profile does not",
    "js-serviceworker": "home-assistant registers one; the condition is in a function of its own, which is not followed",
    "unresolved-placeholder": "preloads with the same placeholder as the errors",
    "js-chunk-missing": "jupyterlab's map names 94 of 330 chunks that the wheel does not have: webpack keeps the names of chunks that it merged into others. Not proved that none of them is asked for, so a warning",
    "js-cookie": "`document.cookie` of axios, of session code and of feature tests; empty on the device. A library that finds none goes on, a login that lives on it does not",
    "js-history-api": "routers and Plotly's hash control call `pushState` or `replaceState` with a path or a variable: newer systems throw. Read: all of them are the page's history",
    "js-history-router": "routers of React and SvelteKit whose routes are not all literals, or whose wildcard redirects: the path of the launch URL is not one of them",
    "js-shared-memory": "Emscripten's code for threads: workers do not get the memory in a page of a custom scheme",
    "js-location-protocol": "compared with `https:` to choose `wss:` or a port, and put before `//host`: takes the wrong branch on the device, whichever it is",
    "js-secure-context": "clipboard, devices, geolocation, `crypto.subtle`, notifications before iOS 15 (both profiles run on 11.3 and up). Mostly in copy buttons and behind feature tests",
    "js-sync-xhr": "pdf.js, FileSaver and emscripten's file system; inside workers or for a HEAD. On iOS 13 and later it blocks, and no more; on 12 and older it ends the page's process, so there it is an error, as the catalogue says; workers are not told apart",
    "js-url-origin": "compares the origin of a URL object with the page's: `null` for the custom scheme, so the code takes its own URLs for foreign ones",
    "large-file": "above Workbox's 2 MiB: one script, WebAssembly or film that every update of it loads again",
    "large-image": "a picture above half a mebibyte",
    "mime-unknown": "`.wasm`: without a type WebAssembly compiles after loading instead of while",
    "missing-charset": "the page has no `meta charset` and the handler sends none; its bytes are ASCII, so a warning",
    "package-too-large": "239 MB in 0.12.4, of which 62 are pyodide and its packages and 81 source maps",
    "precompressed-in-package": "`.gz` copies that no handler uses",
    "sourcemap-shipped": "source maps, with the sources in most of them",
}
