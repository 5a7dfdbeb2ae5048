import PackArchive
import PackGround
import PackOrigin
import PackRelease

/// `publish --repair`: restores a published release from its build. No pointer changes.
extension Publisher {
    /// Finds what is missing, damaged or served with other headers than a publish gives, and restores it.
    ///
    /// - Throws: ``Failure/publishNotPublished(version:origin:)``; ``Failure/publishNotRepacked(path:)``;
    ///   ``Failure/publishNotRemade(path:)``.
    func repair(_ state: PublishState) async throws -> PublishReport {
        let published = try await publishedRelease()
        let references = try await references(to: published)
        let objects = try await ObjectPlan.make(release, store, repairs: true)
        var report = PublishReport(request, state, objects)
        report.describe(published.pointer)
        let build = request.scan.directory
        let uploads =
            objects.uploads(from: build)
            + (try await uploader.damaged(among: objects.replacements(from: build)))
        let package = ObjectReference(
            OriginLayout.package(release.version), published.pointer.package)
        let isPacked = try await store.holds(package.content, at: package.path)
        report.note(repaired: uploads.map(\.path) + (isPacked ? [] : [package.path]), .content)
        let manifests = try await boundManifests(references, published, &report)
        let lost = manifests.filter(\.isLost)
        return try await withStaging { staging in
            var all = uploads
            if !isPacked { all.append(try await repack(package, in: staging)) }
            let deltas = try await restoredDeltas(
                references, manifests, in: staging.directory, &report)
            report.note(repaired: deltas.map(\.path), .content)
            all += deltas.compactMap { $0.made.upload(to: release.version, in: staging) }
            // Last: what they name is there by then.
            report.note(repaired: lost.map(\.published.manifestPath), .content)
            all += try await store.stage(
                lost.enumerated().map { $1.upload(stagedAs: "info-\($0).json") }, in: staging,
                jobs: 1, counter: nil)
            let own = manifests.first {
                $0.published.manifestPath == state.current?.unconditional?.manifestPath
            }?.manifest
            let follower = try await follower(state, own, &report)
            try await noteBehind(follower, &report)
            let written = Set(report.repairs.map(\.path))
            let uploads = all
            var headers = HeaderRepairer.Outcome()
            let decision = PointerTransaction.Decision(
                target: .complete(state.current ?? published),
                upload: {
                    try await uploader.replace(uploads)
                    try await uploader.readBack(ObjectPlan.needed(by: release))
                    try await uploader.readBack(package: published.pointer.package)
                    try await uploader.readBack(uploads)
                    headers = try await repairHeaders(manifests, except: written)
                }, updatesFollowers: follower != nil, proved: own)
            try await carryOut(decision, staging, &report)
            report.note(repaired: report.feeds.replaced + report.feeds.removed, .content)
            report.note(repaired: headers.repaired, .headers)
            report.notes += headers.notes
            return report
        }
    }

    /// The pointer that names the release of the build.
    private func publishedRelease() async throws -> OriginReader.Published {
        let version = release.version
        let found = try await history.pointer(to: version, startingWith: request.channel)
        if let found {
            // A prune keeps what a pin names.
            let isKept =
                if try await history.mayBePruned(found.pointer) {
                    try await history.pins().pins.contains { $0.version == version }
                } else { true }
            if isKept { return found }
        }
        throw Failure.publishNotPublished(
            version: version.description, origin: store.address)
    }

    /// Packs the build again.
    private func repack(_ package: ObjectReference, in staging: Staging) async throws -> Upload {
        let name = "package.zip"
        let made = try await PackageBuilder(
            scan: request.scan, level: request.level, jobs: request.jobs,
            progress: request.progress
        ).build(name, in: staging.directory)
        guard made.digest == package.content else {
            throw Failure.publishNotRepacked(path: store.display(package.path))
        }
        var upload = Upload(
            package.path, .staged(in: staging.directory, named: name), made.digest,
            stagedName: name)
        upload.conflict = .replace
        upload.isDurableFirst = true
        return upload
    }

    /// The follower to the release that the channel's pointer offers to every device.
    ///
    /// - Parameter own: The manifest of that release, if the build is of it.
    /// - Returns: `nil` for another release whose manifest is damaged: the build of that one restores it.
    private func follower(
        _ state: PublishState, _ own: Manifest?, _ report: inout PublishReport
    ) async throws -> SiteFollower? {
        guard let current = state.current else { return nil }
        do {
            return try await steps.follower(of: current, known: own)
        } catch {
            if error.isLocalOrTransient { throw error }
            report.notes.append(
                "'\(OriginLayout.info)' and '\(OriginLayout.site)/' were not looked at, because \(error): run "
                    + "--repair with the build of release \(current.pointer.version)")
            return nil
        }
    }

    /// Notes the files that follow the pointer and show another release.
    private func noteBehind(
        _ follower: SiteFollower?, _ report: inout PublishReport
    ) async throws {
        guard let follower else { return }
        let plan = try await follower.sitePlan()
        if try await follower.isInfoBehind() {
            report.note(repaired: [OriginLayout.info], .content)
        }
        report.note(repaired: plan.copies.map(\.path), .content)
    }

    private func repairHeaders(
        _ manifests: [BoundManifest], except written: Set<String>
    ) async throws -> HeaderRepairer.Outcome {
        guard let headers = store.headers else { return .init() }
        return try await HeaderRepairer(
            store: store, headers: headers, history: history,
            known: manifests.map(\.manifest.release)
        ).repair(except: written)
    }
}

extension PublishReport {
    /// A file that a repair restored.
    package struct Repair: Equatable, Sendable {
        package enum Kind: String, Sendable {
            /// It was missing, damaged or outdated.
            case content
            /// Its content was right.
            case headers
        }

        package let path: String
        package let kind: Kind
    }

    fileprivate mutating func note(repaired paths: [String], _ kind: Repair.Kind) {
        repairs += paths.map { Repair(path: $0, kind: kind) }
        if !repairs.isEmpty { outcome = .repaired }
    }

    /// Takes over what the pointer says that names the release.
    fileprivate mutating func describe(_ pointer: Pointer) {
        self.pointer = pointer
        outcome = .unchanged
        isRepair = true
        sequence = pointer.sequence
        label = pointer.label
        expires = pointer.expires
        packageSize = pointer.package.size
        packageExisted = true
        deltas = pointer.deltas
        deltasKept = pointer.deltas.count
    }
}
