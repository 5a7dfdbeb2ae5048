import PackGround
import PackOrigin
import PackS3
import PackSettings

/// Opens the bucket of an `s3://` origin with the settings and the environment.
enum Bucket {
    enum Purpose {
        /// Compared files are downloaded.
        case reading
        case publishing
    }

    static func store(
        _ origin: String, _ settings: Settings, for purpose: Purpose = .reading,
        cache: String? = nil, readBack: ReadBack? = nil, isUnsafe: Bool = false,
        _ console: Console
    ) throws -> S3Store {
        let address = try S3Address(origin)
        let source = try AWSCredentials(profile: settings.amazonProfile, console.environment)
        let endpoint = try S3Endpoint(
            address.bucket,
            endpoint: settings.endpoint ?? console.environment.variable("AWS_ENDPOINT_URL_S3")
                ?? console.environment.variable("AWS_ENDPOINT_URL") ?? source.endpoint,
            region: settings.region ?? console.environment.variable("AWS_REGION")
                ?? console.environment.variable("AWS_DEFAULT_REGION") ?? source.region
                ?? Defaults.region,
            addressing: settings.addressing)
        // Fail before anything is sent or a build is hashed.
        let first = try source.read()
        let credentials = FirstThen(first) { try source.read() }
        var clientSettings = S3Client.Settings(
            address, endpoint, clock: { console.environment.clock.seconds },
            random: { Double.random(in: 0...1) }, credentials: { try credentials.next() })
        clientSettings.mostConnections = OpenFileLimit.connections
        let client = S3Client(
            try AuthorityOption.transport(
                authorityFile: console.environment.variable("AWS_CA_BUNDLE"),
                earlyConnections: purpose == .publishing ? 6 : 0, console),
            clientSettings)
        if purpose == .publishing { console.interruption.unwindsFirst() }
        let folder = cache ?? console.environment.variable("PACKTOOL_CACHE")
        return S3Store(
            client, cache: try purpose == .publishing ? folder.map { try ContentCache($0) } : nil,
            scratch: console.environment.temporaryDirectory,
            readBack: readBack ?? (purpose == .publishing ? .hashes : .all), isUnsafe: isUnsafe,
            writing: settings.bucketWriting)
    }
}
