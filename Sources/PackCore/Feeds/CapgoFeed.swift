import PackGround
import PackOrigin
import PackRelease

/// The feed of Capgo's updater: the answer of an update server, and the options of `download()`.
///
/// The client compares `version` with the name of its bundle by equality, downloads `url`, and
/// compares the SHA-256 of the zip with `checksum`. It ignores unknown members.
///
/// Source: https://github.com/Cap-go/capacitor-updater at e235d092, `src/definitions.ts`
/// (`DownloadOptions`, `LatestVersion`), `ios/Sources/CapacitorUpdaterPlugin/InternalUtils.swift`
/// (`AppVersionDec`), `android/src/main/java/ee/forgr/capacitor_updater/CapgoUpdater.java`
/// (`finishDownload`).
enum CapgoFeed {
    static func document(of offer: FeedOffer) -> [UInt8] {
        JSONWriter.write(
            .members([
                "version": .string(offer.entry.version.description),
                "url": .string(offer.entry.package.url),
                "checksum": .string(offer.entry.package.sha256.description),
                // For apps passing single files to `download()`; not a member of the format.
                "info": .string(offer.entry.info.url),
            ]))
    }
}
