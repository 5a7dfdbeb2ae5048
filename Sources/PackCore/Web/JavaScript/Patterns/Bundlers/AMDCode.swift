/// The declarations in a script for a loader of AMD modules, RequireJS.
package struct AMDCode: Sendable {
    /// A name in the list of `require([…])` or `define([…])`.
    package struct Dependency: Sendable {
        package let name: [UInt8]
        /// The bytes between its quotes.
        package internal(set) var range: Range<Int>

        package init(name: [UInt8], range: Range<Int>) {
            self.name = name
            self.range = range
        }
    }

    /// The largest number of names, and of paths, kept for one script.
    static let most = 256

    package internal(set) var dependencies: [Dependency] = []
    /// The names of modules defined in the script: `define("app/cart", …)`.
    package internal(set) var names: Set<[UInt8]> = []
    /// The base of names: `require.config({baseUrl: "js"})`.
    package internal(set) var baseURL: [UInt8]?
    /// `paths` of the configuration: a prefix of names and its replacement.
    ///
    /// `nil` if the replacement is not a single literal.
    package internal(set) var paths: [[UInt8]: [UInt8]?] = [:]
    package internal(set) var hasConfiguration = false
    /// Whether the configuration has unsupported settings that affect names.
    package internal(set) var isOpen = false

    package var isEmpty: Bool {
        dependencies.isEmpty && names.isEmpty && !hasConfiguration
    }
}
