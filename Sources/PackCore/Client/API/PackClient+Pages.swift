import PackGround
public import PackPages
import PackRelease

extension PackClient {
    /// The release for a page that is loaded now; ``PageView`` keeps it for the page.
    ///
    /// - Parameters:
    ///   - scheme: The app's custom scheme.
    ///   - host: The host of the package's URLs.
    ///   - prefix: The path of the package below the host, with slashes around it; the sources of several clients can
    ///     be joined to one ``PageSources``.
    ///   - network: The https URL of the same pages; `nil` for the same host and prefix.
    ///   - missing: The answer to requests without a file in the release.
    /// - Returns: Without sources if no release runs.
    public func pages(
        scheme: String, host: String, prefix: String = "/", network: String? = nil,
        missing: PageSource.Missing = .notFound
    ) -> PageSources {
        let (running, isWeb) = shown
        // The network answers everything: the directory only has to exist.
        let directory = isWeb ? configuration.directory : running?.path
        guard let directory,
            var source = try? PageSource(
                host: host, prefix: prefix, directory: directory,
                version: running?.copy.version.description ?? "web", network: network)
        else { return PageSources(scheme: scheme, []) }
        if let launch = running?.copy.launch { source.launch = launch.description }
        source.missing = missing
        source.lease = running.map { leases.lease($0.copy.version) }
        return PageSources(scheme: scheme, [source], bypassesPackages: isWeb)
    }
}
