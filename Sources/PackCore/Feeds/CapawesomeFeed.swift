import PackGround
import PackOrigin
import PackRelease

/// The feed of Capawesome's live update: the answer of its server to `GET …/bundles/latest`.
///
/// The client uses `bundleId` as the name of a directory, downloads `url`, and compares the SHA-256
/// of the zip with `checksum`. With a public key in its configuration it requires a signature
/// instead, which packtool does not make.
///
/// Source: https://github.com/capawesome-team/capacitor-plugins at 88d77b15,
/// `packages/live-update/ios/Plugin/Protocols/Api/GetLatestBundleResponse.swift` and
/// `packages/live-update/android/src/main/java/io/capawesome/capacitorjs/plugins/liveupdate/LiveUpdate.java`
/// (`sync`, `verifyFile`).
enum CapawesomeFeed {
    static func document(of offer: FeedOffer) -> [UInt8] {
        JSONWriter.write(
            .members([
                "bundleId": .string(offer.entry.version.description),
                "artifactType": .string("zip"),
                "channelName": .string(offer.channel.description),
                "url": .string(offer.entry.package.url),
                "checksum": .string(offer.entry.package.sha256.description),
            ]))
    }
}
