import PackGround
import PackOrigin

extension S3Client {
    /// Covers `QuotaExceeded` (Ceph), `XMinioStorageFull` (MinIO) and similar codes.
    private static func isFull(_ code: String) -> Bool {
        code.hasSuffix("QuotaExceeded") || code.hasSuffix("StorageFull")
            || code == "InsufficientStorage"
    }

    /// The scheme and host of a redirect to another host, or `nil`.
    private func otherHost(_ head: HTTPHead) -> String? {
        guard head.isRedirect, let location = head["location"],
            let slashes = location.firstRange(of: "://")
        else { return nil }
        let rest = location[slashes.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@").last.map(String.init) ?? ""
        guard !host.isEmpty, host != settings.endpoint.host else { return nil }
        return shown(String(location[..<slashes.upperBound]) + host, 120)
    }

    /// Converts an unsuccessful answer to an error.
    func refusal(_ answer: S3Answer, _ request: S3Request) -> Failure {
        let head = answer.head
        let name = head.requestName
        let credentials = shownCredentials
        let bucket = settings.address.bucket
        let region = answer.document?["Region"] ?? head["x-amz-bucket-region"]
        let given = settings.endpoint.region
        if answer.code.isEmpty, region == nil, let target = otherHost(head) {
            return .s3Redirected(path: request.shown, target: target, request: name)
        }
        if [301, 307].contains(head.status) || answer.code == "AuthorizationHeaderMalformed"
            || answer.code == "PermanentRedirect"
            || [400, 403].contains(head.status) && region != nil && region != given
        {
            return .s3WrongRegion(
                bucket: bucket, actual: region == given ? nil : region, given: given,
                request: name)
        }
        if head.status == 507 || Self.isFull(answer.code) {
            return .s3Full(
                path: request.shown, code: answer.code.isEmpty ? "status 507" : answer.code,
                request: name)
        }
        switch answer.code {
        case "NoSuchBucket": return .s3NoBucket(bucket: bucket, request: name)
        case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken",
            "TokenRefreshRequired", "InvalidSecurity", "AuthFailure":
            return .s3CredentialsRefused(
                credentials: credentials, code: answer.code, request: name)
        case "RequestTimeTooSkewed", "RequestExpired":
            let store = head["date"].flatMap { HTTPDate.seconds(of: $0) }
            return .s3Clock(
                seconds: (store ?? settings.clock()) - settings.clock(), request: name)
        default: break
        }
        if head.status == 403 || head.status == 401 {
            return .s3Denied(
                credentials: credentials, action: request.action, path: request.shown,
                request: name)
        }
        if head.isPage, answer.code.isEmpty {
            return .s3NotS3(
                path: request.shown, problem: "status \(head.status) with a web page",
                request: name)
        }
        return .s3Status(
            path: request.shown, status: head.status, code: answer.code,
            message: answer.message, request: name)
    }
}
