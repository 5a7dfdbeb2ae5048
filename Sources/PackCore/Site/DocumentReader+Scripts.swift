extension DocumentReader {
    /// The URLs in the file's scripts.
    ///
    /// The seam for the reader of JavaScript: it goes through `context.scripts` and calls `add` for
    /// each URL, with the base that its use has (the page for `fetch`, the script for `import`).
    mutating func readScripts() {}
}
