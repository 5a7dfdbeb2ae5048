extension String {
    /// The text of valid UTF-8; `nil` for other bytes.
    ///
    /// The standard library's initializer needs iOS 18.
    package init?(utf8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Invalid parts were replaced.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
