"""Tries forbidden uses in a copy of the sources, each a small insertion into a real file.

Every one has to be refused, in its own file and with the words that it names; what is no use, or no forbidden
one, has to pass.
"""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import diagram
from .check import Check
from .project import Project
from .reader import read_source, read_sources
from .table import Table, TableError, read_table

CORE = "Sources/PackCore/"
STRAY = CORE + "Misc/Stray.swift"


@dataclass(frozen=True)
class Case:
    """Code that is added to files, and what has to be said of it; nothing where it has to pass."""

    title: str
    added: dict[str, str]
    expected: str = ""
    # In which of the files; the last of them otherwise.
    path: str = ""


def one(title: str, path: str, code: str, expected: str = "") -> Case:
    return Case(title, {(CORE + path).replace("PackCore/../", ""): code}, expected)


FORBIDDEN = [
    # Imports
    one("CArchive in a reader", "Web/HTML/HTMLReader.swift", "internal import CArchive",
        "Web/HTML imports CArchive"),
    one("CArchive in Publish", "Publish/ObjectPlan.swift", "import CArchive", "Publish imports CArchive"),
    one("Crypto outside Hashing", "Archive/Unpacker.swift", "internal import Crypto", "Archive imports Crypto"),
    one("Yams outside the settings", "Release/Names.swift", "import Yams", "Release imports Yams"),
    one("one declaration of Foundation", "Release/Version.swift", "import struct Foundation.URL",
        "Release imports Foundation"),
    one("any import in the codec", "Delta/Codec/DeltaListing.swift", "@_exported import Synchronization",
        "Delta/Codec imports Synchronization"),
    # Wings and rooms
    one("Installer in Verify", "Verify/OriginVerifier.swift", "func probe(_ it: Installer) {}",
        "Verify → Client: 'Installer'"),
    one("Publisher in Files", "Ground/Files/FileLock.swift", "let probe: Publisher? = nil",
        "Ground/Files → Publish: 'Publisher'"),
    one("HTML in CSS", "Web/CSS/CSSToken.swift", "func probe() { _ = HTMLTokenizer.self }",
        "Web/CSS → Web/HTML: 'HTMLTokenizer'"),
    one("JSON in the domain of Release", "Release/Manifest.swift",
        "extension Manifest { var probe: JSONValue { .null } }", "Release → Ground/JSON: 'JSONValue'"),
    one("Client knows Publish", "Client/Installation.swift", "func probe(_ it: PublishRequest) {}",
        "Client → Publish: 'PublishRequest'"),
    one("Publish knows Client", "Publish/ObjectPlan.swift", "func probe(_ it: Installation) {}",
        "Publish → Client: 'Installation'"),
    one("a rule in Site", "Check/Site/SiteIndex.swift", "func probe() -> [Rule] { [] }",
        "Check/Site → Check/Engine: 'Rule'"),
    one("the catalogue in the engine", "Check/Engine/Checker.swift", "let probe = RuleCatalog.all",
        "Check/Engine → Check/Rules: 'RuleCatalog'"),
    one("a page in Profile", "Check/Profile/Resolver.swift", "func probe(_ it: DocumentContext) {}",
        "Check/Profile → Check/Site: 'DocumentContext'"),
    one("rules in Simulate", "Check/Simulate/DeviceStore.swift", "let probe = [Finding]()",
        "Check/Simulate → Check/Engine: 'Finding'"),
    one("Rewriter in Rules", "Check/Rules/RuleCatalog.swift", "typealias Probe = Rewriter",
        "Check/Rules → Check/Rewrite: 'Rewriter'"),
    one("Origin in Delta", "Delta/DeltaPlan.swift", "func probe(_ it: OriginReader) {}",
        "Delta → Origin: 'OriginReader'"),
    one("a pointer in a store", "Origin/Store/MemoryStore.swift", "func probe(_ it: Pointer) {}",
        "Origin/Store → Origin: 'Pointer'"),
    one("Yams in PackTool", "../PackTool/Run/CommandRun.swift", "import Yams", "PackTool imports Yams"),
    one("a command in the settings", "../PackTool/Settings/Settings.swift", "let probe = Console.self",
        "PackTool/Settings → PackTool: 'Console'"),
    one("Origin in Release", "Release/OriginLayout.swift", "func probe(_ it: Pointer) {}",
        "Release → Origin: 'Pointer'"),
    one("a digest in JSON", "Ground/JSON/JSONObject.swift", "let probe = Digest(\"\")",
        "Ground/JSON → Ground/Hashing: 'Digest'"),
    one("a digest in the codec", "Delta/Codec/DeltaListing.swift", "func probe(_ it: Digest) {}",
        "Delta/Codec → Ground/Hashing: 'Digest'"),
    one("Publish in the check", "Check/Rules/RuleCatalog.swift", "let probe = PublishRequest.self",
        "Check/Rules → Publish: 'PublishRequest'"),
    Case("HTML in a command", {"Sources/PackTool/Input/CheckRun.swift": "let probe = HTMLTokenizer.self"},
         "PackTool → Web/HTML: 'HTMLTokenizer'"),
    # Where a use can hide
    one("in an interpolation", "Origin/OriginReader.swift",
        'let probe = "a \\("b \\(Publisher.self)") c"', "Origin → Publish: 'Publisher'"),
    one("in an interpolation of a raw string", "Origin/OriginReader.swift",
        'let probe = #"\\(no) \\#(Publisher.self)"#', "Origin → Publish: 'Publisher'"),
    one("in a literal of several lines", "Origin/OriginReader.swift",
        'let probe = """\n  "quoted" \\(Installer.self)\n  """', "Origin → Client: 'Installer'"),
    one("in a generic constraint", "Web/URL/URLRecord.swift", "func probe<Some: Remedied>(_ it: Some) {}",
        "Web/URL → Ground/Reporting: 'Remedied'"),
    one("in a where clause", "Web/URL/URLRecord.swift", "func probe<Some>(_ it: Some) where Some: Remedied {}",
        "Web/URL → Ground/Reporting: 'Remedied'"),
    one("in a conformance", "Web/URL/URLRecord.swift", "extension URLRecord: Remedied {}",
        "Web/URL → Ground/Reporting: 'Remedied'"),
    one("in a closure's signature", "Web/CSS/CSSToken.swift",
        "let probe = { (it: URLRecord) -> Int in 1 }", "Web/CSS → Web/URL: 'URLRecord'"),
    one("in a key path", "Release/Release.swift", "let probe = \\Pointer.sequence", "Release → Origin: 'Pointer'"),
    one("in a default", "Archive/Unpacker.swift", "func probe(_ it: Any = DeltaPlan.self) {}",
        "Archive → Delta: 'DeltaPlan'"),
    one("in an attribute", "Origin/Pointer.swift", "struct Probe { @Flag var it = false }",
        "Origin uses 'Flag'"),
    one("behind the module's name", "Release/Release.swift", "let probe = PackCore.Pointer.self",
        "Release → Origin: "),
    one("in a case beside another", "Release/Release.swift", "enum Probe { case one(Pointer), two(Int) }",
        "Release → Origin: 'Pointer'"),
    Case("an initializer that another room adds", {
        CORE + "Publish/ObjectPlan.swift": "extension Digest { init(published it: Publisher) {} }",
        CORE + "Release/Release.swift": "func probe(_ it: Int) { _ = Digest(published: it) }",
    }, "Release → Publish: 'Digest'"),
    one("in a nested type", "Release/Release.swift", "let probe: OriginReader.Published? = nil",
        "Release → Origin: 'OriginReader.Published'"),
    Case("an extension that carries a dependency down", {
        CORE + "Publish/ObjectPlan.swift": "extension Directory { func publishAllOfIt() {} }",
        CORE + "Ground/Files/FileLock.swift": "func probe(_ it: Directory) { it.publishAllOfIt() }",
    }, "Ground/Files → Publish: 'publishAllOfIt'"),
    Case("the same without a receiver", {
        CORE + "Publish/ObjectPlan.swift": "extension Directory { func publishAllOfIt() {} }",
        CORE + "Ground/Files/FileLock.swift": "extension Directory { func probe() { publishAllOfIt() } }",
    }, "Ground/Files → Publish: 'publishAllOfIt'"),
    Case("a member of an outside type", {
        CORE + "Delta/DeltaPlan.swift": "extension [UInt8] { func first(of other: Int) -> Int { other } }",
        CORE + "Archive/Unpacker.swift": "func probe(_ it: [UInt8]) -> Int { it.first(of: 3) }",
    }, "Archive → Delta: 'first'"),
    Case("a typealias of another wing's type", {
        CORE + "Publish/ObjectPlan.swift": "typealias Reader = OriginReader",
        CORE + "Origin/Pointer.swift": "let probe = Reader.self",
    }, "Origin → Publish: 'Reader'"),
    Case("a free function", {
        CORE + "Publish/ObjectPlan.swift": "func publishAllOfIt() {}",
        CORE + "Origin/Pointer.swift": "func probe() { publishAllOfIt() }",
    }, "Origin → Publish: 'publishAllOfIt'"),
    one("a member of a known variable", "Check/Profile/Profile.swift",
        "func probe(_ it: Directory) { it.holds(1, at: 2) }", "Check/Profile → "),
    # Outside names
    one("a clock", "Release/BuildScan.swift", "func probe() { _ = ContinuousClock.now }",
        "Release uses 'ContinuousClock'"),
    one("the date", "Origin/Envelope.swift", "func probe() { _ = Date() }", "Origin uses 'Date'"),
    one("fputs", "Publish/Publisher.swift", "func probe() { fputs(\"x\", stderr) }", "Publish uses 'fputs'"),
    one("print", "Client/Installer.swift", "func probe() { print(1) }", "Client uses 'print'"),
    one("print by module", "Client/Installer.swift", "func probe() { Swift.print(1) }", "Client uses 'print'"),
    one("a function of C by attribute", "Client/Installer.swift",
        "@_silgen_name(\"exit\") func quit(_ it: Int32) -> Never", "'@_silgen_name'"),
    one("exit", "Archive/Deflater.swift", "func probe() { exit(1) }", "Archive uses 'exit'"),
    one("getenv", "Ground/Files/Directory.swift", "func probe() { _ = getenv(\"HOME\") }",
        "Ground/Files uses 'getenv'"),
    one("the C library by name", "Ground/Files/Directory.swift", "func probe() { _ = Glibc.time(nil) }",
        "Ground/Files uses 'time'"),
    one("a function as a value", "Ground/Files/Directory.swift", "let probe = [1].map(exit)",
        "Ground/Files uses 'exit'"),
    one("FileManager", "Ground/Files/Names/AssetPath+Portability.swift", "let probe = FileManager.default",
        "Ground/Files uses 'FileManager'"),
    one("FileManager by module", "Origin/Envelope.swift", "let probe = Foundation.FileManager.default",
        "Origin uses 'FileManager'"),
    one("FileHandle", "Check/Rewrite/RewriteRecord.swift", "let probe = FileHandle.standardError",
        "Check/Rewrite uses 'FileHandle'"),
    one("ProcessInfo", "Origin/Envelope.swift", "let probe = ProcessInfo.processInfo", "Origin uses 'ProcessInfo'"),
    one("CommandLine", "Check/Engine/Checker.swift", "let probe = CommandLine.arguments",
        "Check/Engine uses 'CommandLine'"),
    one("a member of Foundation", "Origin/Envelope.swift",
        "func probe() throws { try \"a\".write(toFile: \"b\", atomically: true, encoding: .utf8) }",
        "Origin uses '.write'"),
    one("an initializer of Foundation", "Origin/Envelope.swift",
        "let probe = try? String(contentsOfFile: \"/etc/passwd\")", "'String(contentsOfFile:)'"),
    one("chance", "Publish/Publisher.swift", "let probe = UInt8.random(in: 0...9)", "Publish uses '.random'"),
    one("the walk of a directory", "Publish/Publisher.swift", "func probe() { _ = readdir(nil) }",
        "Publish uses 'readdir'"),
    one("libarchive in Files", "Ground/Files/Directory.swift", "let probe = archive_read_new()",
        "Ground/Files uses 'archive_read_new'"),
    one("a task", "Archive/SplitDeflater.swift", "let probe = Task.detached { 1 }", "Archive uses 'Task'"),
    one("a raw pointer", "Web/URL/URLRecord.swift", "let probe: UnsafeRawPointer? = nil",
        "Web/URL uses 'UnsafeRawPointer'"),
    one("fatalError", "Web/URL/URLRecord.swift", "func probe() -> Never { fatalError() }",
        "Web/URL uses 'fatalError'"),
    one("try!", "Release/Release.swift", "func probe(_ it: () throws -> Int) { _ = try! it() }", "'try!' traps"),
    one("as!", "Release/Release.swift", "func probe(_ it: Any) -> Int { it as! Int }", "'as!' traps"),
    # Files
    Case("a file outside the rooms", {STRAY: "let probe = 1"}, "in no room"),
]

ALLOWED = [
    one("in comments", "Web/CSS/CSSToken.swift",
        "// Publisher, print(1)\n/* Installer /* nested */ fputs(\"\") */\n/// ``HTMLTokenizer``\nlet probe = 1"),
    one("in strings", "Web/CSS/CSSToken.swift",
        'let probe = ["Publisher print(1)", #"\\(Installer) "FileManager""#, """\n  Date() " ""\n  """, "\\\\(Rule)"]'),
    one("a local name", "Web/CSS/CSSToken.swift",
        "func probe(exit: (Int) -> Int, _ print: [Int]) -> Int {\n"
        "    let fputs = 1\n    func getenv(_ it: Int) -> Int { it }\n"
        "    return print.map { time in exit(time) + getenv(fputs) }.count\n}"),
    one("a label", "Web/CSS/CSSToken.swift",
        "func probe(exit it: Int, print: Int = 0) -> Int { probe(exit: 1, print: 2) }"),
    one("a generic parameter", "Web/CSS/CSSToken.swift",
        "struct Probe<Publisher: Equatable> { let it: Publisher\n"
        "    func same(_ other: Publisher) -> Bool { it == other } }"),
    one("a nested type of the same name", "Web/CSS/CSSToken.swift",
        "enum Probe { struct Publisher { let it: Int }\n  static func make() -> Publisher { Publisher(it: 1) } }"),
    one("a pattern", "Web/CSS/CSSToken.swift",
        "func probe(_ it: (Int, Int)?) -> Int {\n"
        "    guard case let (print, exit)? = it else { return 0 }\n    return print + exit\n}"),
    one("a private type of the same name", "Web/CSS/CSSToken.swift",
        "private struct Publisher {}\nprivate let probe = Publisher()"),
    one("what the table lists", "Publish/ObjectPlan.swift", "let probe = (OriginReader.self, Directory.self)"),
    one("a function behind #if", "Web/CSS/CSSToken.swift", "#if canImport(Glibc)\nlet probe = 1\n#endif"),
]


class _Copy:
    """A copy of the sources; files that did not change are not read again."""

    def __init__(self, root: Path, place: Path):
        self.root = place
        shutil.copytree(
            root / "Sources", place / "Sources", ignore=lambda _, names: [
                name for name in names if Path(name).suffix not in {"", ".swift", ".toml"}])
        shutil.copy(root / "Package.swift", place)
        self.table = read_table(place)
        self.project = Project(self.table, read_sources(place))

    def refused(self, case: Case) -> list[str]:
        """What is refused with a case's code added."""
        before = {path: self._text(path) for path in case.added}
        try:
            for path, code in case.added.items():
                (self.root / path).parent.mkdir(exist_ok=True)
                (self.root / path).write_text(before[path] + "\n" + code + "\n")
            changed = [read_source(path, self._text(path)) for path in case.added]
            others = [source for source in self.project.sources if source.path not in before]
            return [
                str(refusal)
                for refusal in Check(Project(self.table, others + changed)).run(set(before))]
        finally:
            for path, text in before.items():
                (self.root / path).write_text(text)

    def _text(self, path: str) -> str:
        return (self.root / path).read_text() if (self.root / path).exists() else ""


def run(root: Path) -> int:
    """All cases; prints what failed."""
    failed: list[str] = []
    with tempfile.TemporaryDirectory(prefix="packtool-layers-") as place:
        copy = _Copy(root, Path(place))
        failed += [f"untouched: {refusal}" for refusal in Check(copy.project).run()]
        failed += [
            f"{case.title}: no file {path}"
            for case in FORBIDDEN + ALLOWED for path in case.added
            if not (root / path).exists() and path != STRAY]
        for case in FORBIDDEN:
            said = copy.refused(case)
            path = list(case.added)[-1]
            if not any(line.startswith(path + ":") and case.expected in line for line in said):
                failed.append(f"{case.title}: not refused with \"{case.expected}\"\n  " + "\n  ".join(said))
        for case in ALLOWED:
            failed += [f"{case.title}: refused\n  {line}" for line in copy.refused(case)]
    tables = _tables(root)
    failed += tables
    for line in failed:
        print(f"error: {line}")
    if not failed:
        print(
            f"layers: {len(FORBIDDEN)} forbidden uses are refused, {len(ALLOWED)} others are not, "
            f"{len(TABLES)} wrong tables are refused")
    return 1 if failed else 0


def _circle(text: str) -> str:
    return text.replace(
        'uses = ["Ground/Files", "Ground/Hashing", "Ground/Reporting", "Web/URL"]',
        'uses = ["Ground/Files", "Ground/Hashing", "Ground/Reporting", "Web/URL", "Origin"]', 1)


TABLES = [
    ("a circle of wings", _circle, "a circle"),
    ("a circle of rooms", lambda text: text.replace(
        '["Web/Encodings"]\n', '["Web/Encodings"]\nuses = ["Web/CSS"]\n', 1), "a circle of rooms"),
    ("a room that does not exist", lambda text: text.replace('"Web/URL"]', '"Web/Uri"]', 1), "does not have"),
    ("an unknown key", lambda text: text.replace("[Web]\n", "[Web]\nuse = []\n", 1), "unknown keys"),
    ("a wing without a sentence", lambda text: text + '\n[Attic]\nuses = []\n', "needs a sentence"),
    ("an entry that nothing uses", lambda text: text.replace(
        '["Web/Encodings"]\n', '["Web/Encodings"]\nuses = ["Web/URL"]\n', 1), "nothing there uses it"),
    ("an import that nothing uses", lambda text: text.replace(
        "[Verify]\n", "[Verify]\nimports.Dispatch = []\n", 1), "nothing there imports it"),
    ("an outside name that nothing uses", lambda text: text.replace(
        "functions = [", 'functions = ["arc4random", ', 1), "nothing uses it"),
    ("a name that nothing uses", lambda text: text.replace(
        "[Client]\n", '[Client]\nnames = ["Unsafe*"]\n', 1), "nothing there uses it"),
]


def _tables(root: Path) -> list[str]:
    """Wrong tables have to be refused, and a page that differs from the table found."""
    failed = []
    sources = read_sources(root)
    text = (root / "Sources/layers.toml").read_text()
    for title, change, expected in TABLES:
        changed = change(text)
        try:
            said = [str(each) for each in Check(Project(Table(changed, root), sources)).run()]
        except TableError as error:
            said = [str(error)]
        if changed == text or not any(expected in line for line in said):
            failed.append(f"{title}: not refused with \"{expected}\"\n  " + "\n  ".join(said))
    table = Table(text, root)
    page = diagram.START + "old\n" + diagram.END
    if diagram.replaced(page, table) == page or diagram.page(table) != diagram.replaced(page, table):
        failed.append("the diagram is not drawn between its markers")
    return failed
