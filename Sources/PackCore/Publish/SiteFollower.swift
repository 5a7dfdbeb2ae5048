/// Brings `info.json` and `site/` to the release that the default channel's pointer names.
///
/// Both follow the commit: until it is done they show the release before, which is valid too.
struct SiteFollower: Sendable {
    let release: Release
    /// The page that comes last of all.
    let launch: AssetPath?
    let store: any WritableStore
    let jobs: Int

    /// What is ready to follow.
    struct Prepared: Sendable {
        let info: Upload?
        let site: SitePlan
        let staging: Staging
    }

    private var manifestPlace: String { OriginLayout.manifest(release.version) }

    /// What `info.json` has to be; `nil` where it is that already.
    private func newInfo() async throws -> [UInt8]? {
        guard let manifest = try await store.read(manifestPlace, limit: Manifest.sizeLimit) else {
            throw OriginError.missing(place: store.display(manifestPlace))
        }
        let upload = Upload(OriginLayout.info, manifest.bytes)
        return try await store.holds(upload.content, at: OriginLayout.info) ? nil : manifest.bytes
    }

    func sitePlan() async throws -> SitePlan {
        try await SitePlan.make(release, launch: launch, store, jobs: jobs)
    }

    /// Whether something still shows another release.
    func isBehind(_ plan: SitePlan) async throws -> Bool {
        let isInfoBehind = try await newInfo() != nil
        return isInfoBehind || !plan.new.isEmpty || !plan.replaced.isEmpty
    }

    /// Does before the commit point whatever can fail of what follows it.
    ///
    /// - Throws: ``PublishError/notWritable(place:)``.
    func prepare(in staging: Staging) async throws -> Prepared {
        var info: Upload?
        if let bytes = try await newInfo() {
            guard try await store.isWritable("") else {
                throw PublishError.notWritable(place: store.address)
            }
            let upload = Upload(OriginLayout.info, bytes, stagedName: "info.json.new")
            info = try await store.stage([upload], in: staging, jobs: 1, counter: nil)[0]
        }
        let plan = try await sitePlan()
        do {
            try await store.stage(plan.copies, in: staging)
        } catch StoreError.notWritable(let folder) {
            throw PublishError.notWritable(place: store.display(folder))
        }
        return Prepared(info: info, site: plan, staging: staging)
    }

    func follow(_ prepared: Prepared) async throws {
        if let info = prepared.info { _ = try await store.replace(info, if: .always) }
        try await store.copy(prepared.site.copies, from: prepared.staging)
    }

    /// What still shows another release, as far as that can be found out.
    func placesBehind() async -> [String] {
        var places: [String] = []
        let isInfoBehind = (try? await newInfo() != nil) ?? true
        if isInfoBehind { places.append(OriginLayout.info) }
        guard let plan = try? await sitePlan() else { return places + ["\(OriginLayout.site)/"] }
        let behind = plan.copies.map(\.place)
        places += behind.prefix(Self.placesShown)
        if behind.count > Self.placesShown {
            places.append("\(behind.count - Self.placesShown) more below \(OriginLayout.site)/")
        }
        return places
    }

    private static let placesShown = 10
}
