package packtool.client;

import java.io.IOException;
import java.util.List;

/** Decides by a pointer, and stores it as seen before. */
final class Acceptance {
    private final InstallRequest request;
    private final Installation installation;
    final String channel;
    /** The stored state; null before the first pointer. */
    InstallState state;
    /** The package hash of a release whose state was lost; null for none. */
    private final String found;

    Acceptance(InstallRequest request, Installation installation, String channel,
        InstallState state, String found) {
        this.request = request;
        this.installation = installation;
        this.channel = channel;
        this.state = state;
        this.found = found;
    }

    /** Stores a pointer as seen, durably, before anything is decided by it. */
    void accept(PointerIntake.Offer offer) throws IOException, PackError {
        Pointer pointer = offer.pointer;
        if (request.app != null && !request.app.equals(pointer.app)) {
            throw EmbeddedRelease.otherApp(request.app, pointer.app);
        }
        state = installation.stateFile.change(stored -> {
            InstallState next = stored != null ? stored : state != null ? state.copy() : null;
            boolean isFirst = next == null;
            if (isFirst) {
                next = new InstallState(
                    pointer.app, new ChannelState(channel, pointer.sequence, null, null));
            }
            if (request.embedded != null) {
                next.include(request.embedded);
            }
            Installer.forgetTrees(next, installation);
            if (!isFirst) {
                checkContinues(offer, next);
            } else if (found != null) {
                next.choose(lost(found));
            }
            next.device = request.device != null ? request.device
                : next.device != null ? next.device : Disk.uniqueName();
            next.trust = offer.trust;
            ChannelState known = next.seen(channel);
            ChannelState seen = new ChannelState(channel, pointer.sequence, pointer.payloadHash,
                offer.trust == null ? null : (Long) offer.trust.epoch);
            next.see(seen);
            seen.isEnabled = pointer.isEnabled;
            seen.bypasses = pointer.bypasses;
            seen.mandatorySequence = pointer.mandatorySequence;
            seen.expires = pointer.expires;
            Entry offered = pointer.select(device(next, pointer));
            seen.offered = offered == null ? null : offered.version;
            ChannelState.Answer answer = offer.file.answer;
            boolean isKnown = known != null && answer != null && answer.isSame(known.answer)
                && known.answer.isFresh(request.now);
            seen.answer = isKnown ? known.answer : answer;
            return next;
        });
    }

    /** The entry of a release whose state was lost: it was in use. */
    private Copy lost(String packageHash) {
        Copy copy = new Copy(packageHash.substring(0, 20), packageHash);
        copy.channel = channel;
        copy.sequence = 1;
        copy.route = "package";
        copy.installedAt = request.now;
        copy.isConfirmed = true;
        return copy;
    }

    private void checkContinues(PointerIntake.Offer offer, InstallState known) throws PackError {
        Pointer pointer = offer.pointer;
        if (!known.app.equals(pointer.app)) {
            throw EmbeddedRelease.otherApp(known.app, pointer.app);
        }
        ChannelState seen = known.seen(channel);
        // A root has already checked this, by its floors and epochs.
        if (offer.root != null || seen == null) {
            return;
        }
        if (pointer.sequence < seen.sequence) {
            throw Installer.replayed(pointer, seen.sequence);
        }
        if (pointer.sequence == seen.sequence) {
            Copy installed = known.installed();
            boolean isSame = seen.payloadHash != null
                ? seen.payloadHash.equals(pointer.payloadHash)
                : installed != null
                    && installed.packageHash.equals(pointer.entries.get(0).packageHash);
            if (!isSame) {
                throw Installer.splitView(pointer);
            }
        }
    }

    Pointer.Device device(InstallState known, Pointer pointer) {
        Pointer.Device device = new Pointer.Device();
        device.nativeVersion = request.nativeVersion;
        device.platform = request.platform;
        device.id = known.device;
        Copy installed = known.installed();
        device.installed = installed == null ? null : installed.packageHash;
        device.failed = known.excluded(request.nativeVersion);
        return device;
    }

    /** Throws if the pointer allows no update. */
    void checkCondition(Pointer pointer) throws PackError {
        if (pointer.bypasses) {
            throw new PackError("install.bypassed", "channel '" + channel
                + "' asks apps to load the https pages", "");
        }
        if (pointer.isClosed) {
            return;
        }
        if (!pointer.isEnabled) {
            throw new PackError("install.disabled", "channel '" + channel + "' is paused", "");
        }
        if (pointer.expires != null && pointer.expires <= request.now) {
            throw Installer.expired(pointer);
        }
    }

    Entry choose(Pointer pointer, boolean isInstalled, Pointer.Device device, List<String> notes)
        throws PackError {
        if (pointer.isClosed) {
            if (!isInstalled) {
                throw new PackError("install.closed", "channel '" + channel + "' was closed at "
                    + pointer.createdAt, "use another channel");
            }
            notes.add("channel '" + channel + "' was closed at " + pointer.createdAt
                + ": there will be no updates");
            return null;
        }
        Entry entry = pointer.select(device);
        if (entry == null && !isInstalled) {
            throw new PackError("install.not-offered",
                "channel '" + channel + "' offers this device nothing", "");
        }
        return entry;
    }
}
