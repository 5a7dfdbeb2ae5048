package packtool.client;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A root of trust: the keys whose signatures count. */
final class TrustRoot {
    static final String INVALID = "trust.invalid-root";
    private static final int KEYS = 32;
    private static final int ROLES = 16;
    private static final int FLOORS = 100;
    private static final long LONGEST = 1827 * Timestamp.DAY;

    private static final class Key {
        final String algorithm;
        final byte[] bytes;

        Key(String algorithm, byte[] bytes) {
            this.algorithm = algorithm;
            this.bytes = bytes;
        }
    }

    private static final class Role {
        final Set<String> keys = new HashSet<>();
        long threshold;
    }

    /** The bytes of the file. */
    final byte[] bytes;
    final String app;
    final long version;
    final long epoch;
    final long createdAt;
    final long expires;
    private final Map<String, Key> keys = new HashMap<>();
    private final Map<String, Role> roles = new HashMap<>();
    private final Map<String, Long> floors = new HashMap<>();

    private TrustRoot(Envelope envelope) throws PackError {
        bytes = envelope.bytes;
        Members root = Json.parse(envelope.payload, INVALID);
        root.integer("schema", 1, 1);
        app = root.app("app");
        version = root.integer("version", 1);
        epoch = root.integer("epoch", 1);
        createdAt = root.time("createdAt");
        expires = root.time("expires");
        if (expires <= createdAt || expires - createdAt > LONGEST) {
            throw root.invalid("expires", "is not within 1,827 days after 'createdAt'");
        }
        readKeys(root);
        readRoles(root);
        if (!root.isMissing("floors")) {
            Members floors = root.object("floors");
            if (floors.names().size() > FLOORS) {
                throw root.invalid("floors", "has more than " + FLOORS + " channels");
            }
            for (String channel : floors.names()) {
                if (!Names.isChannel(channel)) {
                    throw root.invalid("floors", "has a name that is not a channel's");
                }
                this.floors.put(channel, floors.integer(channel, 1));
            }
        }
    }

    private void readKeys(Members root) throws PackError {
        Members members = root.object("keys");
        if (members.names().size() > KEYS) {
            throw root.invalid("keys", "has more than " + KEYS + " keys");
        }
        for (String id : members.names()) {
            Members key = members.object(id);
            byte[] data = key.base64("public");
            String algorithm = key.string("algorithm");
            key.stringOrNull("name", 200);
            if (!Bytes.sha256(data).equals(id)) {
                throw root.invalid("keys", "has a key whose id is another one");
            }
            String problem = PublicKeys.problem(algorithm, data);
            if (problem != null) {
                throw key.invalid("public", problem);
            }
            keys.put(id, new Key(algorithm, data));
        }
    }

    private void readRoles(Members root) throws PackError {
        Members members = root.object("roles");
        if (members.names().size() > ROLES) {
            throw root.invalid("roles", "has more than " + ROLES + " roles");
        }
        for (String name : members.names()) {
            Members one = members.object(name);
            Role role = new Role();
            List<String> ids = one.strings("keys", KEYS);
            for (String id : ids) {
                if (!keys.containsKey(id) || !role.keys.add(id)) {
                    throw one.invalid("keys", "has an unknown key, or one twice");
                }
            }
            role.threshold = one.integer("threshold", 1, ids.size());
            roles.put(name, role);
        }
        if (!roles.containsKey("root")) {
            throw root.invalid("roles", "has no role 'root'");
        }
    }

    /** Whether pointers of a channel have a role. */
    boolean hasRole(String channel) {
        return roles.containsKey("release:" + channel) || roles.containsKey("release");
    }

    /** Whether the keys of a channel's role have signed an envelope. */
    boolean accepts(Envelope envelope, String channel) {
        Role own = roles.get("release:" + channel);
        return isAccepted(envelope, own != null ? own : roles.get("release"));
    }

    long floor(String channel) {
        Long floor = floors.get(channel);
        return floor == null ? 0 : floor;
    }

    private boolean isAccepted(Envelope envelope, Role role) {
        if (role == null) {
            return false;
        }
        byte[] message = envelope.message();
        Set<String> signers = new HashSet<>();
        for (Envelope.Signed signed : envelope.signatures) {
            Key key = keys.get(signed.key);
            if (role.keys.contains(signed.key) && !signers.contains(signed.key)
                && PublicKeys.verifies(key.algorithm, key.bytes, message, signed.signature)) {
                signers.add(signed.key);
            }
        }
        return signers.size() >= role.threshold;
    }

    private static PackError unsigned(String fact) {
        return new PackError("trust.bad-signature", fact,
            "report it: the origin does not have what the keys of this app signed");
    }

    private static TrustRoot standing(Envelope envelope) throws PackError {
        TrustRoot root = new TrustRoot(envelope);
        if (!root.isAccepted(envelope, root.roles.get("root"))) {
            throw unsigned("root " + root.version + " is not signed by its own keys");
        }
        return root;
    }

    /** The root in a file, if it stands for itself. */
    static TrustRoot standing(byte[] file) throws PackError {
        return standing(Envelope.read(file, Envelope.ROOT, INVALID));
    }

    /** The root in a file, if it follows this one. */
    TrustRoot following(byte[] file) throws PackError {
        Envelope envelope = Envelope.read(file, Envelope.ROOT, INVALID);
        if (!isAccepted(envelope, roles.get("root"))) {
            throw unsigned("the root after " + version + " is not signed by the keys of this one");
        }
        TrustRoot next = new TrustRoot(envelope);
        if (next.version != version + 1 || !next.app.equals(app) || next.epoch < epoch) {
            throw new PackError("trust.root-cannot-follow",
                "a root has another version or app than the next one, or a lower epoch",
                "report it to the publisher");
        }
        if (!next.isAccepted(envelope, next.roles.get("root"))) {
            throw unsigned("root " + next.version + " is not signed by its own keys");
        }
        return next;
    }

    /** The later one of a stored root and a pin; either may be null. */
    static TrustRoot newest(TrustRoot stored, TrustRoot pinned) throws PackError {
        if (stored == null || pinned == null) {
            return stored == null ? pinned : stored;
        }
        boolean isSame = stored.version != pinned.version
            || java.util.Arrays.equals(stored.bytes, pinned.bytes);
        if (!isSame || !stored.app.equals(pinned.app)) {
            throw new PackError("trust.root-differs",
                "the stored root and that of the app are of one version and differ, or of two apps",
                "correct the configuration, or choose another directory");
        }
        return pinned.version > stored.version ? pinned : stored;
    }

}
