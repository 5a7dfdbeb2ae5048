import PackCore
import PackNet
import PackSettings

/// Opens the bucket of an `s3://` origin as settings and surroundings say.
enum Bucket {
    enum Purpose {
        /// Everything that is compared is read.
        case reading
        case publishing
    }

    static func store(
        _ origin: String, _ settings: Settings, for purpose: Purpose = .reading,
        cache: String? = nil, readBack: S3Store.ReadBack? = nil, isUnsafe: Bool = false
    ) throws -> S3Store {
        let address = try S3Address(origin)
        let source = try AmazonCredentials(profile: settings.amazonProfile)
        let endpoint = try S3Endpoint(
            address.bucket,
            endpoint: settings.endpoint ?? Surroundings.variable("AWS_ENDPOINT_URL_S3")
                ?? Surroundings.variable("AWS_ENDPOINT_URL") ?? source.endpoint,
            region: settings.region ?? Surroundings.variable("AWS_REGION")
                ?? Surroundings.variable("AWS_DEFAULT_REGION") ?? source.region ?? Defaults.region,
            addressing: settings.addressing)
        // Before anything is sent, or a build is hashed for nothing.
        let first = try source.read()
        let credentials = FirstThen(first) { try source.read() }
        let client = S3Client(
            try AuthorityOption.transport(
                authorityFile: Surroundings.variable("AWS_CA_BUNDLE")
                    ?? Surroundings.variable("SSL_CERT_FILE")),
            S3Client.Settings(
                address, endpoint, clock: { Surroundings.clock.seconds },
                random: { Double.random(in: 0...1) }, credentials: { try credentials.next() }))
        if purpose == .publishing { Interruption.unwindsFirst() }
        let folder = cache ?? Surroundings.variable("PACKTOOL_CACHE")
        return S3Store(
            client, cache: try purpose == .publishing ? folder.map { try ContentCache($0) } : nil,
            scratch: Surroundings.temporaryDirectory,
            readBack: readBack ?? (purpose == .publishing ? .hashes : .all), isUnsafe: isUnsafe,
            writing: try writing(settings))
    }

    /// What the settings say of uploads, and how large a request may be.
    private static func writing(_ settings: Settings) throws -> S3Store.Writing {
        var writing = settings.bucketWriting
        guard let text = Surroundings.variable("PACKTOOL_UPLOAD_LIMIT") else { return writing }
        guard let limit = ByteSize.parse(text), (1...S3Store.Writing.most).contains(limit) else {
            throw InvalidWord(
                kind: "PACKTOOL_UPLOAD_LIMIT", word: text,
                problem: "is not a size from 1 B to \(readableSize(S3Store.Writing.most))",
                example: "100 MB")
        }
        writing.largestRequest = limit
        return writing
    }
}
