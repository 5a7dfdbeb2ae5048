/// The settings of rules besides the profile: what a project allows, and its limits.
///
/// There are no defaults: a limit that is not given does not apply.
package struct CheckOptions: Equatable, Sendable {
    /// Sizes above which a rule reports.
    package struct Budgets: Equatable, Sendable {
        /// Of all files together, in bytes.
        package var package: UInt64?
        /// Of what an update downloads, in bytes.
        package var update: UInt64?
        /// Of one file, in bytes; of a picture it is a quarter.
        package var file: UInt64?
        /// How many files a package has.
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

    /// Hosts that pages may need from the network.
    package var external: [String]
    /// Paths that the app's handler forwards: requests, not files.
    package var api: [String]
    package var budgets: Budgets
    /// The word that the app adds to its user agent.
    package var userAgentToken: String?
    /// Whether the settings name the launch page: then it has to be there.
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
