import TestSupport
import Testing

extension MalformedManifestTests {
    typealias Case = MalformedDocument

    private static let zeros = String(repeating: "0", count: 64)
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let page = "72c48f9b21b42d12ad18a0d08e09eef2a29e0d4ceb38352c760bb840826d8df7"
    static let hash = "620dee92df08a50738ec467264ce75661d36e1751b78221626a9895f50403093"
    static let range = "outside 0 to 9007199254740991"

    static let syntax: [Case] = [
        Case(
            "\"app\": \"shop\",", "\"app\": \"shop\", \"app\": \"shop\",",
            "the key \"app\" appears twice"),
        Case("\"size\": 5,", "\"size\": 5, \"size\": 6,", "the key \"size\" appears twice"),
        Case(
            "\"app\": \"shop\",", "\"app\": \"shop\", \"ap\\u0070\": \"x\",",
            "the key \"app\" appears twice"),
        Case(
            "{\n  \"version\"", "\u{FEFF}{\n  \"version\"", "the text starts with a byte order mark"
        ),
        Case("{\n  \"version\"", "[{\n  \"version\"", "the text ends too early"),
        Case("\"size\": 412", "\"size\": NaN", "not valid JSON"),
        Case("\"size\": 412", "\"size\": Infinity", "not valid JSON"),
        Case("\"size\": 412", "\"size\": 0412", "not valid JSON"),
        Case("\"size\": 412", "\"size\": +412", "not valid JSON"),
        Case("\"size\": 412", "\"size\": 0x19c", "not valid JSON"),
        Case("\"size\": 412", "\"size\": 9007199254740992", "a number is larger than 2^53 - 1"),
        Case("\"size\": 412", "\"size\": 18446744073709551616", "a number is larger than 2^53 - 1"),
        Case("\"size\": 412", "\"size\": 412,", "not valid JSON"),
        Case("\"app\": \"shop\"", "\"app\": 'shop'", "not valid JSON"),
        Case(
            "\"app\": \"shop\"", "\"app\": \"sh\top\"", "a string contains a raw control character"),
        Case(
            "\"app\": \"shop\"", "\"app\": \"\\x41\"",
            "a string contains an invalid escape"),
        Case("\"app\": \"shop\"", "\"app\": \"\\ud800\"", "not valid JSON"),
        Case(
            "\"app\": \"shop\"", "\"app\": \"\\udc00\"",
            "a string contains an invalid escape"),
        Case("\"schema\": 1,", "\"schema\": 1, // one\n", "not valid JSON"),
        Case(
            "\"schema\": 1,", "\"schema\": 1, \"x\": " + String(repeating: "[", count: 20),
            "values are nested deeper"),
        Case(
            "\"schema\": 1,",
            "\"schema\": 1, \"x\": " + String(repeating: "{\"x\":", count: 100_000),
            "values are nested deeper"),
    ]

    static let shape: [Case] = [
        Case("\"schema\": 1,", "", "schema is missing"),
        Case("\"schema\": 1,", "\"schema\": 2,", "schema is 2; this packtool reads 1"),
        Case("\"schema\": 1,", "\"schema\": 0,", "schema is 0; this packtool reads 1"),
        Case("\"schema\": 1,", "\"schema\": -1,", "schema is -1, outside"),
        Case("\"schema\": 1,", "\"schema\": \"1\",", "schema is not a whole number"),
        Case("\"schema\": 1,", "\"schema\": 1.0,", "schema is not a whole number"),
        Case("\"schema\": 1,", "\"schema\": true,", "schema is not a whole number"),
        Case(
            "\"schema\": 1,", "\"schema\": 9007199254740991,", "schema is 9007199254740991, outside"
        ),
        Case("\"app\": \"shop\"", "\"app\": 7", "app is not a string"),
        Case("\"app\": \"shop\"", "\"app\": null", "app is missing"),
        Case("\"app\": \"shop\"", "\"app\": \"../x\"", "the app name '../x' may contain"),
        Case("\"app\": \"shop\"", "\"app\": \"\"", "the app name '' is not 1 to 64"),
        Case("\"scheme\": \"customscheme\"", "\"scheme\": []", "scheme is not a string"),
        Case("\"scheme\": \"customscheme\",", "", "scheme is missing"),
        Case("\"build\": {", "\"build\": null, \"x\": {", "build is missing"),
        Case("\"tool\": \"packtool 1.0.0\"", "\"tool\": 1", "build.tool is not a string"),
        Case("\"commit\": \"4f2a\"", "\"commit\": {}", "build.commit is not a string"),
        Case("\"package\": {", "\"package\": [], \"x\": {", "package is not an object"),
        Case("\"size\": 412", "\"size\": -1", "package.size is -1, \(range)"),
        Case("\"size\": 412", "\"size\": 4.12e2", "package.size is not a whole number"),
        Case("\"size\": 412", "\"size\": \"412\"", "package.size is not a whole number"),
        Case("4a70fe9aa6436e02", "4A70fe9aa6436e02", "package.sha256 is not a SHA-256"),
        Case("4a70fe9aa6436e02", "a70fe9aa6436e02", "package.sha256 is not a SHA-256"),
        Case("\"size\": 5,", "\"size\": -5,", "assets[2].size is -5, \(range)"),
        Case("\"size\": 5,", "", "assets[2].size is missing"),
        Case("\"type\": \"text/css\"", "\"type\": 1", "assets[0].type is not a string"),
        Case("\"sha256\": \"\(page)\"", "\"sha256\": \"\"", "assets[1].sha256 is not a SHA-256"),
        Case("\"assets\": [", "\"assets\": {}, \"x\": [", "assets is not an array"),
        Case("\"assets\": [", "\"assets\": [7], \"x\": [", "assets[0] is not an object"),
        Case("\"assets\": [", "\"assets\": [[]], \"x\": [", "assets[0] is not an object"),
        Case("\"assets\": [", "\"x\": [", "assets is missing"),
        Case("\"files\": [", "\"files\": \"\", \"x\": [", "files is not an array"),
        Case("\"files\": [", "\"x\": [", "files is missing"),
    ]

    static let meaning: [Case] = [
        Case(
            "\"path\": \"index.html\"", "\"path\": \"\"",
            "assets[1].path is refused: the name is empty"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"/index.html\"",
            "assets[1].path is refused: the path is absolute"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"../index.html\"",
            "assets[1].path is refused: the path has a '.' or '..'"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"a/../index.html\"",
            "assets[1].path is refused: the path has a '.' or '..'"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"./index.html\"",
            "assets[1].path is refused: the path has a '.' or '..'"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"a//index.html\"",
            "assets[1].path is refused: the path has an empty component"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"index.html/\"",
            "assets[1].path is refused: the path has an empty component"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"..\\\\index.html\"",
            "assets[1].path is refused: the name contains a backslash"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"index.html\\u0000\"",
            "assets[1].path is refused: the name contains a control"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"C:index.html\"",
            "assets[1].path is refused: the name contains a colon"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"index.html.\"",
            "assets[1].path is refused: a component ends in a dot"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"nul.html\"",
            "assets[1].path is refused: a component is a device name"),
        Case("\"path\": \"index.html\"", "\"path\": 3", "assets[1].path is not a string"),
        Case(
            "\"path\": \"index.html\"", "\"path\": \"home.html\"",
            "assets[1].url does not end in the asset's file name"),
        Case(
            "\(page)/index.html\", \"sha", "\(page)/\", \"sha",
            "assets[1].url does not end in the asset's file name"),
        Case(
            "\(page)/index.html\", \"sha", "\(page)/index.html?\", \"sha",
            "assets[1].url does not end in the asset's file name"),
        Case(
            "\(page)/index.html\", \"sha", "\(page)/%69ndex.html\", \"sha",
            "files are not the URLs of the assets"),
        Case(
            "\(page)/index.html\", \"sha", "\(page)/x/index.html\", \"sha",
            "files are not the URLs of the assets"),
        Case(
            "    \"https://cdn.example.com/shop/objects/\(page)/index.html\",\n", "",
            "files are not the URLs of the assets"),
        Case(
            "\"files\": [", "\"files\": [\"https://evil.example/x.js\",",
            "files are not the URLs of the assets"),
        Case("\"files\": [", "\"files\": [3,", "files are not the URLs of the assets"),
        Case(
            "\"packageHash\": \"\(hash)\"", "\"packageHash\": \"\(zeros)\"",
            "packageHash is not the hash of the listing"),
        Case(
            "\"packageHash\": \"\(hash)\"", "\"packageHash\": \"x\"", "packageHash is not a SHA-256"
        ),
        Case(
            "\"version\": \"620d", "\"version\": \"620e",
            "version is not the first 20 digits of packageHash"),
        Case("\"version\": \"620d", "\"version\": \"x620d", "version is not a version of 20"),
        Case("\"size\": 5,", "\"size\": 6,", "!"),
        Case(
            "\"sha256\": \"\(page)\"", "\"sha256\": \"\(empty)\"",
            "packageHash is not the hash of the listing"),
        Case(
            "\"launch\": \"index.html\"", "\"launch\": \"home.html\"",
            "launch is not one of the assets"),
        Case(
            "\"launch\": \"index.html\"", "\"launch\": \"../index.html\"",
            "launch is not one of the assets"),
        Case("\"launch\": \"index.html\"", "\"launch\": \"\"", "launch is not one of the assets"),
        Case("\"launch\": \"index.html\"", "\"launch\": 1", "launch is not a string"),
    ]
}
