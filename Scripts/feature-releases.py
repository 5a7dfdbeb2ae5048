#!/usr/bin/env python3
"""Writes the first releases of WebKit on iOS and of Android's WebView with each feature that rules know.

    feature-releases.py DATA              DATA: browser-compat-data (MDN), its repository or its package
    feature-releases.py --check DATA      compares the table with DATA instead of writing it
    feature-releases.py --compare FILE    compares it with other data: caniuse (data.json), or Babel's
                                          @babel/compat-data (plugins.json)

Debian's packages have all three: node-mdn-browser-compat-data, node-caniuse-db, node-babel7. They are older
than the table, so features that they lack are passed over. Exit code 0: no difference; 1: some.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "Sources/PackCore/Check/Rules/FeatureReleases.swift"

GROUP = "javascript.regular_expressions.named_capturing_group"

# The features of JavaScriptFeature, with their paths in the data. The engine has to parse the feature;
# releases in which it does not work completely ("partial") parse it.
SCRIPT = {
    "exponentiation": "javascript.operators.exponentiation",
    "asyncFunctions": "javascript.statements.async_function",
    "trailingCommas": "javascript.grammar.trailing_commas.trailing_commas_in_functions",
    "objectSpread": "javascript.operators.spread.spread_in_object_literals",
    "asyncGenerators": "javascript.statements.async_generator_function",
    "forAwait": "javascript.statements.for_await_of",
    "optionalCatchBinding": "javascript.statements.try_catch.optional_catch_binding",
    "templateEscapes": "javascript.grammar.template_literals.template_literal_revision",
    "dynamicImport": "javascript.operators.import",
    "importOptions": "javascript.operators.import.options_parameter",
    "importMeta": "javascript.operators.import_meta",
    "bigInt": "javascript.builtins.BigInt",
    "numericSeparators": "javascript.grammar.numeric_separators",
    "optionalChaining": "javascript.operators.optional_chaining",
    "nullishCoalescing": "javascript.operators.nullish_coalescing",
    "logicalAssignment": "javascript.operators.nullish_coalescing_assignment",
    "classFields": "javascript.classes.public_class_fields",
    "staticFields": "javascript.classes.static.class_fields",
    "privateFields": "javascript.classes.private_class_fields",
    "privateMethods": "javascript.classes.private_class_methods",
    "privateIn": "javascript.classes.private_class_fields_in",
    "staticBlocks": "javascript.classes.static.initialization_blocks",
    "topLevelAwait": "javascript.operators.await.top_level",
    "exportNamespace": "javascript.statements.export.namespace",
    "stringNames": "javascript.statements.export.arbitrary_module_namespace_identifier_names",
    "importAttributes": "javascript.statements.import.import_attributes",
    "importAssertions": "javascript.statements.import.import_assertions",
    "hashbang": "javascript.grammar.hashbang_comments",
    "using": "javascript.statements.using",
    "awaitUsing": "javascript.statements.await_using",
    "regexpSticky": "javascript.builtins.RegExp.sticky",
    "regexpUnicode": "javascript.builtins.RegExp.unicode",
    "regexpDotAll": "javascript.builtins.RegExp.dotAll",
    "regexpIndices": "javascript.builtins.RegExp.hasIndices",
    "regexpSets": "javascript.builtins.RegExp.unicodeSets",
    "regexpLookBehind": "javascript.regular_expressions.lookbehind_assertion",
    "regexpNamedGroups": GROUP,
    "regexpDuplicateNames": GROUP + ".duplicate_named_capturing_groups",
    "regexpProperties": "javascript.regular_expressions.unicode_character_class_escape",
    "regexpModifiers": "javascript.regular_expressions.modifier",
}

# The features of CSSFeature.
STYLE = {
    "layer": "css.at-rules.layer",
    "container": "css.at-rules.container",
    "scope": "css.at-rules.scope",
    "nesting": "css.selectors.nesting",
    "mediaRange": "css.at-rules.media.range_syntax",
    "has": "css.selectors.has",
    "matches": "css.selectors.is",
    "where": "css.selectors.where",
    "inset": "css.properties.inset",
    "insetInline": "css.properties.inset-inline",
    "insetBlock": "css.properties.inset-block",
    "marginInline": "css.properties.margin-inline",
    "marginBlock": "css.properties.margin-block",
    "paddingInline": "css.properties.padding-inline",
    "paddingBlock": "css.properties.padding-block",
    "aspectRatio": "css.properties.aspect-ratio",
    "transforms": "css.properties.translate",
    "subgrid": "css.properties.grid-template-columns.subgrid",
    "clamp": "css.types.clamp",
    "colorMix": "css.types.color.color-mix",
    "oklch": "css.types.color.oklch",
    "oklab": "css.types.color.oklab",
    "lab": "css.types.color.lab",
    "lightDark": "css.types.color.light-dark",
    "relativeColor": "css.types.color.rgb.relative_syntax",
    "viewportUnits": "css.types.length.viewport_percentage_units_dynamic",
    "containerUnits": "css.types.length.container_query_length_units",
}

# Older names of the same paths.
OLD = {
    "javascript.classes.static.class_fields": "javascript.classes.static_class_fields",
    "javascript.classes.static.initialization_blocks": "javascript.classes.static_initialization_blocks",
    "javascript.operators.nullish_coalescing_assignment": "javascript.operators.logical_nullish_assignment",
    "css.types.color.color-mix": "css.types.color-mix",
}

# The same features in caniuse and in Babel's data.
CANIUSE = {
    "asyncFunctions": "async-functions",
    "bigInt": "bigint",
    "clamp": "css-math-functions",
    "container": "css-container-queries",
    "containerUnits": "css-container-query-units",
    "dynamicImport": "es6-module-dynamic-import",
    "has": "css-has",
    "insetInline": "css-logical-props",
    "lab": "css-lch-lab",
    "layer": "css-cascade-layers",
    "lightDark": "mdn-css_types_color_light-dark",
    "matches": "css-matches-pseudo",
    "mediaRange": "css-media-range-syntax",
    "nesting": "css-nesting",
    "regexpLookBehind": "js-regexp-lookbehind",
    "relativeColor": "css-relative-colors",
    "scope": "css-cascade-scope",
    "subgrid": "css-subgrid",
    "viewportUnits": "viewport-unit-variants",
}
# Differences that are known: (feature, system) and the reason.
EXPLAINED = {
    ("asyncFunctions", "iOS"): "iOS 10.3 parses them, with faults",
    ("classFields", "iOS"): "iOS 14 parses them, static ones excepted",
    ("classFields", "WebView"): "Babel's entry includes private fields",
    ("container", "WebView"): "105 has it, with a fault in tables",
    ("dynamicImport", "iOS"): "caniuse has no release between 11.0 and 11.3",
    ("exponentiation", "WebView"): "51 had it in WebView before Chrome",
    ("insetInline", "iOS"): "caniuse's entry is about margin-inline-start and the like",
    ("insetInline", "WebView"): "caniuse's entry is about margin-inline-start and the like",
    ("nesting", "iOS"): "16.5 requires '&' or another sign before the selector",
    ("nesting", "WebView"): "112 requires '&' or another sign before the selector",
    ("optionalChaining", "WebView"): "80 parses it, with a fault in calls with spread arguments",
    ("regexpUnicode", "iOS"): "iOS 10 parses the flag, with faults",
    ("relativeColor", "iOS"): "16.4 parses it, without 'calc()' in some places",
    ("relativeColor", "WebView"): "119 parses it, with faults",
}
BABEL = {
    "asyncFunctions": "transform-async-to-generator",
    "asyncGenerators": "async-generator-functions",
    "classFields": "class-properties",
    "exponentiation": "transform-exponentiation-operator",
    "exportNamespace": "export-namespace-from",
    "logicalAssignment": "logical-assignment-operators",
    "nullishCoalescing": "nullish-coalescing-operator",
    "numericSeparators": "numeric-separator",
    "objectSpread": "object-rest-spread",
    "optionalCatchBinding": "optional-catch-binding",
    "optionalChaining": "optional-chaining",
    "privateIn": "private-property-in-object",
    "privateMethods": "private-methods",
    "regexpDotAll": "transform-dotall-regex",
    "regexpDuplicateNames": "transform-duplicate-named-capturing-groups-regex",
    "regexpModifiers": "transform-regexp-modifiers",
    "regexpNamedGroups": "transform-named-capturing-groups-regex",
    "regexpProperties": "unicode-property-regex",
    "regexpSets": "transform-unicode-sets-regex",
    "regexpSticky": "transform-sticky-regex",
    "regexpUnicode": "transform-unicode-regex",
    "staticBlocks": "class-static-block",
}

TABLES = [("JavaScriptFeature", SCRIPT), ("CSSFeature", STYLE)]


class Data:
    """browser-compat-data: one file, or a tree of files whose values may refer to another browser."""

    def __init__(self, folder):
        self.tree = {}
        files = [folder] if folder.is_file() else list(folder.glob("data.json"))
        for name in ("api", "browsers", "css", "javascript"):
            if not files or files[0].name != "data.json":
                files += sorted((folder / name).rglob("*.json"))
        for file in files:
            merge(self.tree, json.loads(file.read_text()))
        self.version = self.tree.get("__meta", {}).get("version")
        if not self.version:
            self.version = json.loads((folder / "package.json").read_text())["version"]

    def support(self, path, browser):
        """The statements of a browser; None if the data lack the feature."""
        node = self.tree
        for name in path.split("."):
            node = node.get(name)
            if node is None:
                return None
        found = node.get("__compat", {}).get("support", {}).get(browser)
        if found == "mirror":
            upstream = self.tree["browsers"][browser]["upstream"]
            found = self.support(path, upstream)
            return found and [self.mirrored(entry, upstream, browser) for entry in found]
        return found if isinstance(found, list) or found is None else [found]

    def mirrored(self, entry, upstream, browser):
        version = entry.get("version_added")
        if not isinstance(version, str):
            return entry
        theirs = self.tree["browsers"][upstream]["releases"][version.lstrip("≤")]
        for name, release in self.tree["browsers"][browser]["releases"].items():
            if release.get("engine") in (theirs.get("engine"), None) and numbers(
                release.get("engine_version", name)
            ) >= numbers(theirs.get("engine_version", version)):
                return {**entry, "version_added": name}
        return {**entry, "version_added": False}

    def first(self, path, browser, partial=True):
        """The first release, False without one, None if the data lack the feature."""
        statements = self.support(path, browser)
        if statements is None and path in OLD:
            statements = self.support(OLD[path], browser)
        if statements is None:
            return None
        found = [
            entry["version_added"].lstrip("≤")
            for entry in statements
            if isinstance(entry.get("version_added"), str)
            and entry["version_added"] != "preview"
            and not entry.get("flags")
            and not entry.get("prefix")
            and not entry.get("alternative_name")
            and (partial or not entry.get("partial_implementation"))
        ]
        return min(found, key=numbers) if found else False


def merge(into, other):
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value


def numbers(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def release(version):
    """The numbers without a zero at the end."""
    found = numbers(version)
    return found[:-1] if len(found) > 1 and found[-1] == 0 else found


def releases(data, path, partial):
    system = data.first(path, "safari_ios", partial)
    view = data.first(path, "webview_android", partial)
    if not view:
        view = data.first(path, "chrome_android", partial)
    return system, view


def text(system, view):
    parts = [str(number) for number in numbers(system)[:2]] if system else ["nil"]
    return f"Releases({'.init(' + ', '.join(parts) + ')' if system else 'nil'}, {view or 'nil'})"


def swift(data):
    lines = [
        "// Written by Scripts/feature-releases.py from browser-compat-data "
        f"{data.version} (docs/sources.md#browser-compat-data).",
        "",
        "import PackWeb",
    ]
    for kind, table in TABLES:
        lines += ["", f"extension {kind} {{", "    var releases: Releases {", "        switch self {"]
        for name, path in table.items():
            system, view = releases(data, path, True)
            if system is None or view is None:
                sys.exit(f"error: browser-compat-data {data.version} lacks {path}")
            lines.append(f"        case .{name}: {text(system, view)}")
        lines += ["        }", "    }", "}"]
    return "\n".join(lines) + "\n"


def table():
    """The releases in the table: (iOS, WebView) by name of a feature."""
    found = {}
    for name, system, view in re.findall(
        r"case \.(\w+): Releases\((nil|\.init\([\d, ]+\)), (nil|\d+)\)", TABLE.read_text()
    ):
        found[name] = (".".join(re.findall(r"\d+", system)) or None, None if view == "nil" else view)
    return found


def check(data):
    known = table()
    lacking = different = same = 0
    for _, features in TABLES:
        for name, path in features.items():
            system, view = releases(data, path, True)
            if not system and not view:
                lacking += 1
                continue
            # Data that are older than a release say that there is none.
            for ours, theirs, where in ((known[name][0], system, "iOS"), (known[name][1], view, "WebView")):
                if not theirs or ours == theirs:
                    same += ours == theirs
                    continue
                different += 1
                print(f"{name}: {where} {ours} in the table, {theirs} in the data")
    print(
        f"browser-compat-data {data.version}: {same} releases are the same, {different} differ; "
        f"{lacking} features are missing in the data"
    )
    return different


def caniuse(data, name):
    """The first releases with all of a feature in caniuse."""
    found = []
    for browser in ("ios_saf", "chrome"):
        versions = [
            version.split("-")[0]
            for version, state in data[name]["stats"][browser].items()
            if state.split()[0] == "y" and "x" not in state.split() and version != "TP"
        ]
        found.append(min(versions, key=numbers) if versions else None)
    return found


def babel(data, name):
    for key in (name, "transform-" + name, "proposal-" + name):
        if key in data:
            return data[key].get("ios"), data[key].get("chrome")
    return None, None


def compare(file):
    known = table()
    if file.is_dir():
        # The repository of caniuse has one file for each feature.
        data = {one.stem: json.loads(one.read_text()) for one in file.glob("*.json")}
    else:
        data = json.loads(file.read_text())
    names, read = (BABEL, babel) if "transform-spread" in data else (CANIUSE, caniuse)
    data = data.get("data", data)
    different = explained = same = lacking = 0
    for name, key in names.items():
        if read is caniuse and key not in data:
            lacking += 2
            continue
        for ours, theirs, where in zip(known[name], read(data, key), ("iOS", "WebView")):
            if not theirs:
                lacking += 1
            elif ours and release(ours) == release(theirs):
                same += 1
            elif (name, where) in EXPLAINED:
                explained += 1
            else:
                different += 1
                print(f"{name}: {where} {ours} in the table, {theirs} in {file.name}")
    print(
        f"{file.name}: {same} releases are the same, {explained} differ for a known reason, "
        f"{different} differ, {lacking} are missing"
    )
    return different


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--compare", action="store_true")
    given = parser.parse_args()
    if given.compare:
        return 1 if compare(given.data) else 0
    data = Data(given.data)
    if given.check:
        return 1 if check(data) else 0
    TABLE.write_text(swift(data))
    return 0


if __name__ == "__main__":
    sys.exit(main())
