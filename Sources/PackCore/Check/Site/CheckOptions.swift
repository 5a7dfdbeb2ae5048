/// The settings of rules other than the profile: allowed addresses and limits.
///
/// There are no defaults: a limit that is not set does not apply.
package struct CheckOptions: Equatable, Sendable {
    /// Sizes above which a rule reports a finding.
    package struct Budgets: Equatable, Sendable {
        /// The total size of all files in bytes.
        package var package: UInt64?
        /// The download size of an update in bytes.
        package var update: UInt64?
        /// The size of one file in bytes; for a picture, a quarter of it.
        package var file: UInt64?
        /// The number of files in a package.
        package var files: Int?

        package init(
            package: UInt64? = nil, update: UInt64? = nil, file: UInt64? = nil, files: Int? = nil
        ) {
            self.package = package
            self.update = update
            self.file = file
            self.files = files
        }
    }

    /// Hosts from which pages may load over the network.
    package var external: [String]
    /// Paths forwarded by the app's handler: API requests, not files.
    package var api: [String]
    package var budgets: Budgets
    /// The word added by the app to its user agent.
    package var userAgentToken: String?
    /// Whether the settings name the launch page, which is then required.
    package var namesLaunch: Bool

    package init(
        external: [String] = [], api: [String] = [], budgets: Budgets = Budgets(),
        userAgentToken: String? = nil, namesLaunch: Bool = false
    ) {
        self.external = external
        self.api = api
        self.budgets = budgets
        self.userAgentToken = userAgentToken
        self.namesLaunch = namesLaunch
    }
}
