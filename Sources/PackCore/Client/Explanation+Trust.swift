import PackGround
import PackOrigin
import PackRelease
import PackTrust

extension Explanation {
    /// Explains the first checks of a client with a root: whether it accepts the pointer.
    ///
    /// It uses the same session as ``Installer``. The device's stored state is unknown, so it is
    /// assumed to have only the pin.
    ///
    /// - Returns: The policy for everything that the client reads; `nil` if it refuses the pointer.
    /// - Throws: An error of the store.
    mutating func trust(
        _ pin: TrustPin, _ request: ExplainRequest, _ file: StoredObject, _ reader: OriginReader
    ) async throws -> (any PointerPolicy)? {
        let store = reader.store
        let path = OriginLayout.pointer(request.channel)
        do {
            let pinned = try await pin.resolve(store, stored: nil)
            guard
                var session = try TrustSession(
                    pinned: pinned, stored: nil, clock: request.now, channel: request.channel,
                    seen: nil, checkedAt: nil)
            else { return nil }
            _ = add("root", Self.text(of: session.root), passes: true)
            let envelope = try reader.envelope(file, at: path)
            while case .fetchRoot(let version) = try session.step(
                envelope, path: store.display(path))
            {
                let bytes = try? await store.rootFile(version)
                fetched.roots = fetched.roots.addingClamped(UInt64(bytes?.count ?? 0))
                let next = store.display(OriginLayout.root(version))
                if try session.follow(bytes, path: next) {
                    _ = add("newer root", Self.text(of: session.root), passes: true)
                }
            }
            let root = session.root.root
            let role = root.signers(of: request.channel)
            let signers = root.signers(of: envelope, as: role)
            let names = (role?.keys ?? []).filter(signers.contains).map(root.shownKey)
            _ = add(
                "signature",
                "by \(names.joined(separator: ", ")); \(role?.threshold ?? 0) needed of '\(role?.name ?? "")'",
                passes: true)
            _ = add(
                "floor", "\(pointer.sequence) is not below \(root.floor(request.channel))",
                passes: true)
            return SignedByRoot(root)
        } catch let error where error.isFailure(of: "trust") {
            _ = add("trust", "\(error)", passes: false)
        } catch let refusal as PointerRefusal {
            _ = add("trust", "\(Failure(refusal))", passes: false)
        } catch let error as Failure where error.code.isOf("origin") {
            _ = add("trust", "\(error)", passes: false)
        }
        return nil
    }

    private static func text(of root: SignedRoot) -> String {
        "\(root.root.version), epoch \(root.root.epoch), until \(root.root.expires)"
    }
}
