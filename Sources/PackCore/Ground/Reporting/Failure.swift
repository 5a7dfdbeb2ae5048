/// An error that packtool reports: what failed, and what it left unchanged.
///
/// Every area makes its failures with static functions beside its codes. The next step for a user is
/// in the catalogue of the program, keyed by ``code``: the libraries know no command line.
package struct Failure: Error, Equatable, CustomStringConvertible, Sendable {
    /// Identifies a kind of failure.
    package struct Code: Hashable, Sendable {
        /// A stable dotted name such as `build.changed-while-read`, which scripts read.
        package let name: String
        /// Distinguishes failures that share a name and need different remedies; empty if there is one.
        package let variant: String

        package init(_ name: String, _ variant: String = "") {
            self.name = name
            self.variant = variant
        }

        /// Whether the name starts with an area, such as `origin`.
        package func isOf(_ area: String) -> Bool { name.hasPrefix(area + ".") }
    }

    /// What a failed access to storage says about the stored content.
    package struct Traits: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// This process or machine ran out of a resource; the stored file may be intact.
        package static let localOrTransient = Traits(rawValue: 1)
        /// Reading failed because of the stored content, not because of this machine or its permissions.
        package static let anotherContent = Traits(rawValue: 2)
        /// The store denied the operation for these credentials, which had no effect and will have none.
        package static let denial = Traits(rawValue: 4)
    }

    private final class Content: Sendable {
        let code: Code
        let description: String
        let unaffected: String?
        let exitCode: ExitCode
        let traits: Traits
        let details: [String: String]
        let number: Int32?
        let cause: Failure?

        init(
            _ code: Code, _ description: String, _ unaffected: String?, _ exitCode: ExitCode,
            _ traits: Traits, _ details: [String: String], _ number: Int32?, _ cause: Failure?
        ) {
            self.code = code
            self.description = description
            self.unaffected = unaffected
            self.exitCode = exitCode
            self.traits = traits
            self.details = details
            self.number = number
            self.cause = cause
        }
    }

    // One word, so that a function that throws a `Failure` costs nothing while it does not.
    private let content: Content

    /// Creates a failure.
    ///
    /// - Parameters:
    ///   - description: The failure and the name or path it concerns.
    ///   - unaffected: What the failure left unchanged; `nil` unless a reader could worry about it.
    ///   - details: Values that its remedy or a caller needs, by name.
    ///   - number: The `errno` value of a failed system call.
    ///   - cause: The failure that led to this one, if its remedy is needed.
    package init(
        _ code: Code, _ description: String, unaffected: String? = nil,
        exitCode: ExitCode = .couldNotDo, traits: Traits = [], details: [String: String] = [:],
        number: Int32? = nil, cause: Failure? = nil
    ) {
        content = Content(code, description, unaffected, exitCode, traits, details, number, cause)
    }

    package var code: Code { content.code }
    package var description: String { content.description }
    package var unaffected: String? { content.unaffected }
    package var exitCode: ExitCode { content.exitCode }
    package var traits: Traits { content.traits }
    /// The `errno` value of a failed system call; `nil` for other failures.
    package var number: Int32? { content.number }
    package var cause: Failure? { content.cause }

    /// The same failure, with a location such as `packtool.yaml:3` in front of its description.
    package func located(at path: String) -> Failure {
        Failure(
            code, "\(path): \(description)", unaffected: unaffected, exitCode: exitCode,
            traits: traits, details: content.details, number: number, cause: cause)
    }

    /// A detail of the failure, empty if it has none of this name.
    package subscript(name: String) -> String { content.details[name] ?? "" }

    package static func == (one: Failure, other: Failure) -> Bool {
        one.content === other.content
            || (one.code == other.code && one.description == other.description
                && one.unaffected == other.unaffected && one.exitCode == other.exitCode
                && one.content.details == other.content.details && one.number == other.number
                && one.cause == other.cause)
    }
}

extension Error {
    /// Whether this is a ``Failure`` of one of some areas, such as `origin`.
    package func isFailure(of areas: String...) -> Bool {
        guard let failure = self as? Failure else { return false }
        return areas.contains { failure.code.isOf($0) }
    }

    /// Whether this process or machine ran out of a resource; the stored file may be intact.
    package var isLocalOrTransient: Bool {
        (self as? Failure)?.traits.contains(.localOrTransient) ?? false
    }

    /// Whether reading failed because of the stored content, not because of this machine or its
    /// permissions.
    package var meansAnotherContent: Bool {
        (self as? Failure)?.traits.contains(.anotherContent) ?? false
    }

    /// Whether the store denied the operation for these credentials.
    ///
    /// It had no effect and will have none; neither has a system call that failed.
    package var meansDenial: Bool {
        (self as? Failure)?.traits.contains(.denial) ?? false
    }
}
