package packtool.client;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The payload of {@code pointer.json}: what a channel offers. */
final class Pointer {
    static final String INVALID = "origin.invalid-pointer";
    private static final int FALLBACKS = 8;

    /** The file, whose signatures a root has verified, if there is one. */
    final Envelope envelope;
    final String payloadHash;
    final String app;
    final String channel;
    final long sequence;
    final Long previous;
    final Long root;
    final String createdAt;
    final Long expires;
    final Long mandatorySequence;
    final boolean isEnabled;
    final boolean bypasses;
    final boolean isClosed;
    /** The pointer's own release, then the fallbacks. */
    final List<Entry> entries = new ArrayList<>();

    private Pointer(Envelope envelope, Members members) throws PackError {
        this.envelope = envelope;
        payloadHash = Bytes.sha256(envelope.payload);
        members.integer("schema", 1, 1);
        app = members.app("app");
        channel = members.channel("channel");
        sequence = members.integer("sequence", 1);
        previous = members.integerOrNull("previous", 1);
        if (previous != null && previous >= sequence) {
            throw members.invalid("previous", "is not lower than 'sequence'");
        }
        root = members.integerOrNull("root", 1);
        members.stringOrNull("operation");
        members.stringOrNull("by", 200);
        Members source = members.objectOrNull("source");
        if (source != null) {
            source.channel("channel");
            source.integer("sequence", 1);
        }
        members.time("createdAt");
        createdAt = members.string("createdAt");
        expires = members.timeOrNull("expires");
        entries.add(Entry.read(members));
        members.bool("mandatory");
        mandatorySequence = members.integerOrNull("mandatorySequence", 1);
        if (mandatorySequence != null && mandatorySequence > sequence) {
            throw members.invalid("mandatorySequence", "exceeds 'sequence'");
        }
        isEnabled = members.bool("enabled");
        bypasses = members.boolOrFalse("bypass");
        if (!members.isMissing("fallbacks")) {
            for (Members one : members.objects("fallbacks", FALLBACKS)) {
                entries.add(Entry.read(one));
            }
        }
        members.boolOrFalse("proposed");
        isClosed = members.boolOrFalse("closed");
        if (isClosed && (isEnabled || expires != null)) {
            throw members.invalid("closed", "does not fit 'enabled' and 'expires'");
        }
    }

    /** Reads the pointer in an envelope, and refuses one of another channel. */
    static Pointer read(Envelope envelope, String channel) throws PackError {
        Members members = Json.parse(envelope.payload, INVALID);
        Pointer pointer = new Pointer(envelope, members);
        if (!pointer.channel.equals(channel)) {
            throw PackError.origin(INVALID,
                "the pointer is of channel '" + pointer.channel + "', not '" + channel + "'");
        }
        return pointer;
    }

    /** The member {@code root} of a pointer that may have any other form. */
    static Long rootOf(Envelope envelope) {
        try {
            return Json.parse(envelope.payload, INVALID).integerOrNull("root", 1);
        } catch (PackError error) {
            return null;
        }
    }

    /** What decides which release a device gets. */
    static final class Device {
        NativeVersion nativeVersion;
        String platform;
        String id;
        /** The package hash of the installed release. */
        String installed;
        Set<String> failed;
        /** Whether an entry was passed over because it failed here. */
        boolean hasFailure;
    }

    /** The entry for a device; {@code null} if it keeps its release. */
    Entry select(Device device) {
        device.hasFailure = false;
        if (!isEnabled || bypasses) {
            return null;
        }
        for (Entry entry : entries) {
            NativeRange range = entry.range(device.platform);
            if (!NativeVersion.fits(device.nativeVersion, range.least, range.most)) {
                continue;
            }
            if (device.failed.contains(entry.version)) {
                device.hasFailure = true;
                continue;
            }
            if (entry.packageHash.equals(device.installed) || isInShare(entry, device.id)) {
                return entry;
            }
        }
        return null;
    }

    private boolean isInShare(Entry entry, String device) {
        if (entry.rollout == 100 || entry.rollout == 0) {
            return entry.rollout == 100;
        }
        String salt = entry.salt == null ? entry.packageHash : entry.salt;
        return bucket(app, channel, salt, device) < 100 * entry.rollout;
    }

    /** The bucket of a device, from 0 to 9,999. */
    static int bucket(String app, String channel, String salt, String device) {
        String text = "packtool rollout 1\n" + app + "\n" + channel + "\n" + salt + "\n" + device;
        byte[] hash = Bytes.sha256().digest(Bytes.utf8(text));
        return new BigInteger(1, Arrays.copyOf(hash, 8)).mod(BigInteger.valueOf(10_000)).intValue();
    }
}
