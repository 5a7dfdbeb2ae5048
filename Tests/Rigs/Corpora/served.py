"""Prepares the builds of the corpora as their servers do for a browser.

The wheels contain input for a Python server: placeholders that it replaces, templates, a path under which it
mounts the files. A package has no such server, so a team would apply these steps at build time; they are
applied here, so that findings are about the build.
"""

import re
import shutil
from pathlib import Path

TEXTS = {".html", ".css", ".js", ".json", ".webmanifest", ".txt"}


def _replace(root, words):
    for path in root.rglob("*"):
        if path.is_file() and path.suffix in TEXTS:
            before = path.read_bytes()
            after = before
            for old, new in words:
                after = after.replace(old, new)
            if after != before:
                path.write_bytes(after)


def _dagster(root):
    _replace(root, [(b"BUILDTIME_ASSETPREFIX_REPLACE_ME", b""), (b"__PATH_PREFIX__", b"")])


def _prefect(root):
    _replace(root, [(b"/PREFECT_UI_SERVE_BASE_REPLACE_PLACEHOLDER", b"")])


def _jupyterlab(root):
    page = root / "index.html"
    text = page.read_text()
    text = re.sub(r"\{% if custom_css %\}.*?\{% endif %\}", "", text, flags=re.S)
    text = text.replace("{{page_config.fullStaticUrl}}", ".")
    text = re.sub(r"\{\{ ?base_url \| escape ?\}\}", "./", text)
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.S)
    page.write_text(text)


def _locust(root):
    for path in root.glob("*.html"):
        text = re.sub(r"\{\{[^}]*\|\s*tojson \}\}", "{}", path.read_text())
        text = text.replace("{{ auth_title | default(\"Locust\") }}", "Locust").replace("{{theme}}", "light")
        path.write_text(re.sub(r"\{% (?:end)?raw %\}", "", text))


def _home_assistant(root):
    for path in root.glob("*.html"):
        text = re.sub(r"\{%- for .*?\{%- endfor -%\}", "", path.read_text(), flags=re.S)
        path.write_text(text.replace("{{ theme_color }}", "#18BCF2"))


def _optuna(root):
    (root / "index.html").write_text("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Optuna Dashboard</title>
<script defer src="bundle.js"></script>
</head>
<body>
<div id="dashboard"></div>
</body>
</html>
""")


def _mlflow(root):
    inner = root / "static-files"
    inner.mkdir()
    for path in list(root.iterdir()):
        if path.name not in ("static-files", "index.html"):
            shutil.move(str(path), str(inner / path.name))


SERVERS = {
    "argilla": ("`@@baseUrl@@` becomes the base", lambda root: _replace(root, [(b"@@baseUrl@@", b"")])),
    "dagster": ("`BUILDTIME_ASSETPREFIX_REPLACE_ME` and `__PATH_PREFIX__` become the prefix", _dagster),
    "gns3": ("all is served below `/static/web-ui/`; here the base is the root",
             lambda root: _replace(root, [(b'href="/static/web-ui/"', b'href="/"')])),
    "home-assistant": ("pages are templates", _home_assistant),
    "jupyterlab": ("`index.html` is a template", _jupyterlab),
    "locust": ("pages are templates", _locust),
    "mlflow": ("all but `index.html` is served below `/static-files/`", _mlflow),
    "optuna-dashboard": ("the page is the server's own", _optuna),
    "prefect": ("`PREFECT_UI_SERVE_BASE_REPLACE_PLACEHOLDER` becomes the base", _prefect),
}


def serve(project, source, target):
    """Writes the build as served by its server."""
    shutil.copytree(source, target)
    if project in SERVERS:
        SERVERS[project][1](Path(target))
