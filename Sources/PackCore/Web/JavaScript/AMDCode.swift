/// What a script says to a loader of AMD modules, RequireJS.
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

    /// The most names, and the most paths, that are kept of one script.
    static let most = 256

    package internal(set) var dependencies: [Dependency] = []
    /// The names that modules in the script give themselves: `define("app/cart", …)`.
    package internal(set) var names: Set<[UInt8]> = []
    /// What names count from: `require.config({baseUrl: "js"})`.
    package internal(set) var baseURL: [UInt8]?
    /// `paths` of the configuration: a prefix of names and what replaces it, `nil` where that is more
    /// than one literal.
    package internal(set) var paths: [[UInt8]: [UInt8]?] = [:]
    package internal(set) var hasConfiguration = false
    /// Whether the configuration has something that decides about names and is not read.
    package internal(set) var isOpen = false

    package var isEmpty: Bool {
        dependencies.isEmpty && names.isEmpty && !hasConfiguration
    }
}
