public import PackClient

extension PackTransport {
    /// Sends the requests with Foundation's `URLSession`.
    ///
    /// Proxies and trusted certificates are those of the system. On iOS, App Transport Security refuses
    /// `http://` addresses unless the app's `Info.plist` allows them.
    ///
    /// - Parameters:
    ///   - patience: A request fails if less than 1 KiB/s arrives for this number of seconds,
    ///     including the time to connect.
    ///   - usesMeteredNetworks: Whether requests may use cellular networks, personal hotspots, and
    ///     networks in Low Data Mode. Linux does not know such networks, and ignores it.
    public static func urlSession(
        patience: Int = 30, usesMeteredNetworks: Bool = true
    ) -> PackTransport {
        PackTransport(
            URLSessionTransport(
                userAgent: "packtool-client/1", patience: patience,
                usesMeteredNetworks: usesMeteredNetworks))
    }
}
