import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// The release in an app, as `packtool embed` wrote it.
///
/// It is only read.
package struct EmbeddedRelease: Sendable {
    let app: AppName
    /// The directory of its files.
    package let path: String
    /// Its entry in a device's state: not confirmed, and not started yet.
    package let copy: InstallState.Copy
    /// The pointer that offered it.
    package let seen: InstallState.ChannelState
    /// The root that accepted this pointer.
    let root: SignedRoot?

    /// Reads what identifies the release; its files are read when they are used.
    ///
    /// - Throws: ``Failure``, ``Failure/installNotEmbedded(directory:problem:)``.
    package static func read(_ path: String) throws -> EmbeddedRelease {
        let directory = try Directory.open(path)
        guard let state = try StateFile(directory: directory).read() else {
            throw Failure.installNotEmbedded(
                directory: path, problem: "has no \(StateFile.name)")
        }
        guard var copy = state.trees.first else {
            throw Failure.installNotEmbedded(directory: path, problem: "has no release")
        }
        let files = Installation.treePath(copy.version)
        guard try directory.status(files)?.kind == .directory else {
            throw Failure.installNotEmbedded(directory: path, problem: "has no '\(files)'")
        }
        if let launch = copy.launch,
            try directory.status("\(files)/\(launch)")?.kind != .file
        {
            throw Failure.installNotEmbedded(
                directory: path, problem: "has no '\(launch)', its first page")
        }
        let root = try Installation.storedRoot(in: directory)
        if state.trust != nil, root == nil {
            throw Failure.installNotEmbedded(
                directory: path, problem: "has no trust root, but a signed release")
        }
        copy.isConfirmed = false
        copy.attempts = 0
        return EmbeddedRelease(
            app: state.app, path: directory.display(files), copy: copy, seen: state.seen,
            root: root)
    }
}

extension InstallState {
    /// The state of a device that has only the release in its app.
    init(_ embedded: EmbeddedRelease) {
        self.init(app: embedded.app, channel: embedded.seen)
        self.embedded = embedded.copy
        current = .embedded
    }

    /// Includes the release in the app, which may be a newer one since an update of the app.
    ///
    /// - Throws: ``Failure/installOtherApp(installed:offered:)``.
    mutating func include(_ new: EmbeddedRelease) throws(Failure) {
        guard new.app == app else {
            throw .installOtherApp(
                installed: app.description, offered: new.app.description)
        }
        // The pointer that offered it is as good as one that was read here.
        if let index = channels.firstIndex(where: { $0.channel == new.seen.channel }) {
            if channels[index].order < new.seen.order { channels[index] = new.seen }
        } else {
            channels.append(new.seen)
        }
        if embedded?.version != new.copy.version {
            embedded = new.copy
        } else if let known = embedded, known.channel == new.copy.channel,
            known.order < new.copy.order
        {
            embedded?.epoch = new.copy.epoch
            embedded?.sequence = new.copy.sequence
        }
        if isBehind(new.copy) { current = .embedded }
    }

    /// Whether the current release is older than the one in the app.
    private func isBehind(_ new: Copy) -> Bool {
        guard let installed else { return true }
        guard new.channel == channel else { return false }
        return installed.channel != channel || installed.order < new.order
    }
}

extension InstallState.ChannelState {
    /// The order of two pointers of one channel.
    fileprivate var order: (Int, Int) { (epoch ?? 0, sequence) }
}
