extension DocumentReader {
    /// The URLs in a web app manifest, a JSON file or a source map: a seam for their readers.
    mutating func readData() {}

    /// The URLs in an SVG file: a seam for its reader.
    mutating func readSVG() {}

    /// The URLs in data inside a page (import maps, JSON, policies): a seam for their readers.
    ///
    /// - Parameter number: the fragment's index in ``HTMLReferences/fragments``.
    mutating func readIsland(_ fragment: HTMLFragment, _ number: Int) {}
}
