package import PackGround

extension JSONObject {
    /// A SHA-256 in 64 lower-case hexadecimal digits.
    package func digest(_ name: String) throws(JSONShapeError) -> Digest {
        guard let digest = Digest(try string(name)) else {
            throw error(name, "is not a SHA-256 in 64 lower-case hexadecimal digits")
        }
        return digest
    }

    /// A release version.
    package func version(_ name: String) throws(JSONShapeError) -> Version {
        guard let version = Version(try string(name)) else {
            throw error(name, "is not a version of 20 lower-case hexadecimal digits")
        }
        return version
    }
}
