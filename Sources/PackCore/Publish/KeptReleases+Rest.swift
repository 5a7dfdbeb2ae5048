import PackGround
import PackOrigin
import PackRelease
import PackTrust

/// What a prune keeps besides what the channels' logs say: pins, proposals and roots, and the files of all manifests.
extension KeptReleases {
    // MARK: Pins and roots

    /// Keeps what a proposed pointer names as long as it can go live.
    mutating func readProposals() async throws {
        let store = history.store
        for name in try await store.names(in: OriginLayout.proposals) {
            let path = "\(OriginLayout.proposals)/\(name)"
            guard let file = try await store.read(path, limit: Pointer.sizeLimit) else { continue }
            do {
                let channel = try PointerProposal(file.bytes).pointer.channel
                let proposal = try history.reader.published(file, at: path, of: channel)
                let end = Self.latestStart(of: proposal.pointer)
                // Nobody's signature is counted before it goes live.
                if request.time.seconds <= end.seconds { unverifiable.append(proposal) }
            } catch {
                if error.isLocalOrTransient { throw error }
                throw Failure.pruneDamagedProposal(path: store.display(path))
            }
        }
    }

    mutating func readPins() async throws {
        let (pins, damaged) = try await history.pins()
        if let path = damaged.first {
            throw Failure.pruneDamagedPin(path: history.store.display(path))
        }
        for pin in pins {
            if let offer = try await offer(of: pin) {
                keep(offer)
                self.pins.append(pin)
            } else {
                notes.append(
                    "'\(history.store.display(pin.path))' pins a release that no log entry names")
            }
        }
    }

    /// The newest offer of a pinned release that counts; where none does, the newest.
    private func offer(of pin: Pin) async throws -> OriginReader.Published? {
        let offers = try await history.offers(of: pin, isSure: counts)
        return offers.first(where: counts) ?? offers.first
    }

    private func counts(_ entry: OriginReader.Published) -> Bool {
        guard let judge = judges[entry.pointer.channel] else { return true }
        return judge.verdict(of: entry) == .counts
    }

    mutating func readRoots() async throws {
        for name in try await history.store.names(in: OriginLayout.roots)
        where name.hasSuffix(".json") {
            if let version = Int(name.dropLast(5)) { needs.addRoot(version) }
        }
    }

    // MARK: Manifests

    mutating func readKeptManifests() async throws {
        let unsure = Set(unverifiable.map(\.path))
        var manifests = history.manifests(
            of: needs.manifests.sorted { $0.key < $1.key }.map(\.value))
        while let (published, outcome) = await manifests.next() {
            do {
                needs.add(try outcome.get().release)
            } catch  where unsure.contains(published.path) && error.meansAnotherRelease {
                throw Failure.pruneUnverifiedEntry(path: published.path, problem: "\(error)")
            }
            kept.insert(published.pointer.version)
        }
        needs.addFollowers()
        for (path, assets) in needs.site
        where !shown.contains(path) && !feeds.contains(OriginLayout.site(path)) {
            olderSite[OriginLayout.site(path)] = assets.map(SiteCopy.init)
        }
        gone = gone.filter { !kept.contains($0.key) }
    }

    /// Learns which files of `site/` came from releases that go; a manifest that is not there says nothing.
    mutating func readGoneManifests() async throws {
        var manifests = history.manifests(
            of: goneManifests.filter { needs.manifests[$0.key] == nil }.map(\.value))
        while let (_, outcome) = await manifests.next() {
            let release: Release
            do {
                release = try outcome.get().release
            } catch {
                guard error.meansAnotherRelease else { throw error }
                continue
            }
            for asset in release.assets {
                let site = OriginLayout.site(asset.path)
                if needs.contains(site) { continue }
                if goneSite[site]?.contains(asset.content) != true {
                    goneSite[site, default: []].append(asset.content)
                }
            }
        }
    }
}

extension Error {
    /// Whether a manifest could be read, or is not there, and is not the one that was named.
    fileprivate var meansAnotherRelease: Bool {
        isFailure(of: "origin", "manifest") || meansAnotherContent
    }
}
