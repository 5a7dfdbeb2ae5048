/// A project created once and copied for each run.
package struct PreparedSandbox: Sendable {
    private let original: Result<Sandbox, any Error>

    /// - Parameter script: Creates the project; it must succeed.
    package init(_ script: String, environment: [String: String] = [:]) {
        original = Result {
            let sandbox = try Sandbox()
            let run = try sandbox.start(
                "set -e\n" + Fixtures.prelude + script, environment: environment, timeout: 300)
            guard run.status == 0 else { throw Child.Failure(description: run.errors) }
            return sandbox
        }
    }

    package func copy() throws -> Sandbox {
        let sandbox = try Sandbox()
        let run = try sandbox.start("cp -a '\(original.get().path)/.' .")
        guard run.status == 0 else { throw Child.Failure(description: run.errors) }
        return sandbox
    }
}
