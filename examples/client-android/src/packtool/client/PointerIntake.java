package packtool.client;

import java.io.IOException;

/** Reads and checks a channel's pointer, by its root if the installation has one. */
final class PointerIntake {
    private static final int STEPS = 32;

    /** A pointer that may be acted on, once it is stored as seen. */
    static final class Offer {
        Pointer pointer;
        /** The root that accepted it; null if none is pinned. */
        TrustRoot root;
        InstallState.Trust trust;
        Origin.PointerFile file;
    }

    private final InstallRequest request;
    private final Origin origin;
    private final Installation installation;
    private final String channel;
    private final InstallState state;

    private TrustRoot root;
    private boolean isRefreshed;
    private boolean isDue;
    private int steps;

    PointerIntake(InstallRequest request, Origin origin, Installation installation,
        String channel, InstallState state) {
        this.request = request;
        this.origin = origin;
        this.installation = installation;
        this.channel = channel;
        this.state = state;
    }

    Offer take() throws IOException, PackError {
        TrustRoot stored = Installation.storedRoot(installation.directory);
        TrustRoot pinned = pinned(stored);
        if (state != null && state.trust != null && stored == null && pinned == null) {
            throw new PackError("trust.root-lost", "the trust root of this installation is gone",
                "call reset(), or give the client a root");
        }
        root = TrustRoot.newest(stored, pinned);
        Offer offer = root == null ? withoutRoot() : byRoot();
        if (root != null && (stored == null || stored.version != root.version)) {
            // Only now, because the pin may be a mistake of one run.
            installation.store(root);
        }
        return offer;
    }

    private TrustRoot pinned(TrustRoot stored) throws IOException, PackError {
        if (request.pin != null) {
            return request.pin;
        }
        if (request.pinHash == null) {
            return request.embedded == null ? null : request.embedded.root;
        }
        if (stored != null && stored.version >= request.pinVersion) {
            if (stored.version == request.pinVersion
                && !Bytes.sha256(stored.bytes).equals(request.pinHash)) {
                throw new PackError("trust.root-differs",
                    "the stored root differs from the one whose hash is in the app",
                    "correct the configuration, or choose another directory");
            }
            return null;
        }
        String path = "root/" + request.pinVersion + ".json";
        byte[] bytes = origin.read(path, Envelope.SIZE);
        if (bytes == null) {
            throw PackError.origin("trust.no-root", "'" + path + "' is missing");
        }
        if (!Bytes.sha256(bytes).equals(request.pinHash)) {
            throw PackError.origin(
                "trust.wrong-pin", "'" + path + "' is not the root whose hash is in the app");
        }
        return TrustRoot.standing(bytes);
    }

    private Origin.PointerFile file() throws IOException, PackError {
        ChannelState seen = state == null ? null : state.seen(channel);
        ChannelState.Answer known = seen == null ? null : seen.answer;
        Origin.PointerFile file = origin.pointer("channels/" + channel + "/pointer.json",
            known != null && known.isFresh(request.now) ? known : null, request.now);
        if (file == null) {
            throw PackError.origin("origin.nothing-published",
                "nothing was published on channel '" + channel + "' of '" + origin.address() + "'");
        }
        return file;
    }

    private Offer withoutRoot() throws IOException, PackError {
        Offer offer = new Offer();
        offer.file = file();
        offer.pointer = Pointer.read(
            Envelope.read(offer.file.bytes, Envelope.POINTER, Pointer.INVALID), channel);
        for (Entry entry : offer.pointer.entries) {
            entry.checkURLs();
        }
        return offer;
    }

    private long now() {
        return Math.max(request.now, root.createdAt);
    }

    /** The steps of "What a client with a root checks", numbered as in docs/formats.md. */
    private Offer byRoot() throws IOException, PackError {
        Offer offer = new Offer();
        offer.file = file();
        Envelope envelope = Envelope.read(offer.file.bytes, Envelope.POINTER, Pointer.INVALID); // 2
        Long checkedAt = state == null || state.trust == null ? null : state.trust.checkedAt;
        isDue = checkedAt == null || request.now < checkedAt
            || request.now - checkedAt >= Timestamp.DAY;
        if (!root.accepts(envelope, channel) || now() >= root.expires || isDue) { // 3
            walk(envelope);
        }
        while (true) {
            checkRoot(envelope); // 4
            offer.pointer = Pointer.read(envelope, channel); // 5
            if (!offer.pointer.app.equals(root.app)) {
                throw PackError.origin(Pointer.INVALID,
                    "the pointer is of app '" + offer.pointer.app + "', not '" + root.app + "'");
            }
            if (offer.pointer.root == null || offer.pointer.root <= root.version) {
                break;
            }
            if (isRefreshed) { // 6
                throw PackError.origin("trust.root-missing",
                    "the pointer names root " + offer.pointer.root + ", which cannot be fetched");
            }
            walk(envelope);
        }
        checkOrder(offer.pointer); // 7
        if (offer.pointer.expires != null && offer.pointer.expires <= now()) { // 8
            throw Installer.expired(offer.pointer);
        }
        for (Entry entry : offer.pointer.entries) {
            entry.checkURLs();
        }
        offer.root = root;
        offer.trust = new InstallState.Trust(root.version, root.epoch,
            isRefreshed || checkedAt == null ? now() : checkedAt);
        return offer;
    }

    private void checkRoot(Envelope envelope) throws IOException, PackError {
        if (now() >= root.expires && !isRefreshed) {
            walk(envelope);
        }
        if (now() >= root.expires) {
            throw PackError.origin("trust.root-expired", "root " + root.version
                + " has expired at " + Timestamp.text(root.expires));
        }
        if (!root.hasRole(channel)) {
            throw PackError.origin("trust.no-role",
                "root " + root.version + " has no role for channel '" + channel + "'");
        }
        if (!root.accepts(envelope, channel)) {
            throw PackError.origin(
                envelope.signatures.isEmpty() ? "trust.unsigned" : "trust.bad-signature",
                "the pointer is not signed by the keys of root " + root.version);
        }
    }

    private void checkOrder(Pointer pointer) throws PackError {
        ChannelState seen = state == null ? null : state.seen(channel);
        boolean isSameEpoch = seen != null && seen.epoch != null && seen.epoch == root.epoch;
        long floor = Math.max(root.floor(channel), isSameEpoch ? seen.sequence : 0);
        if (pointer.sequence < floor) {
            throw Installer.replayed(pointer, floor);
        }
        if (isSameEpoch && pointer.sequence == seen.sequence && seen.payloadHash != null
            && !seen.payloadHash.equals(pointer.payloadHash)) {
            throw Installer.splitView(pointer);
        }
    }

    /** Follows newer roots; each is stored durably before the next one is requested. */
    private void walk(Envelope envelope) throws IOException, PackError {
        while (steps < STEPS) {
            boolean hasArrived = !isDue && steps > 0 && root.accepts(envelope, channel)
                && now() < root.expires
                && Long.valueOf(root.version).equals(Pointer.rootOf(envelope));
            if (hasArrived) {
                return;
            }
            byte[] bytes;
            try {
                bytes = origin.read("root/" + (root.version + 1) + ".json", Envelope.SIZE);
            } catch (PackError error) {
                bytes = null;
            }
            if (bytes == null) {
                break;
            }
            root = root.following(bytes);
            steps++;
            installation.store(root);
        }
        isRefreshed = true;
    }
}
