import TestSupport

/// A project created once and copied for each run.
struct PreparedSandbox: Sendable {
    let script: String
    let environment: [String: String]

    /// - Parameter script: Creates the project; it must succeed.
    init(_ script: String, environment: [String: String] = [:]) {
        self.script = script
        self.environment = environment
    }

    func copy() async throws -> Sandbox {
        let sandbox = try Sandbox()
        try await copy(to: sandbox)
        return sandbox
    }

    /// Copies the project to an empty working directory.
    func copy(to sandbox: Sandbox) async throws {
        let original = try await Originals.shared.sandbox(self)
        let run = try await Child.run(
            ["cp", "-a", original.path + "/.", sandbox.path], in: "/",
            environment: ["PATH": "/usr/bin:/bin"])
        guard run.status == 0 else { throw Child.Failure(description: run.errors) }
    }
}

/// The projects of this process by their scripts.
private actor Originals {
    static let shared = Originals()

    private var made: [String: Task<Sandbox, any Error>] = [:]

    func sandbox(_ prepared: PreparedSandbox) async throws -> Sandbox {
        let key = prepared.script + prepared.environment.map { "\n\($0)=\($1)" }.sorted().joined()
        if let task = made[key] { return try await task.value }
        let task = Task {
            let sandbox = try Sandbox(untilExit: true)
            try await sandbox.create(prepared)
            return sandbox
        }
        made[key] = task
        return try await task.value
    }
}
