package packtool.client;

import java.util.ArrayList;
import java.util.List;

/** A DSSE envelope: a payload, its type, and signatures over both. */
final class Envelope {
    static final String POINTER = "application/vnd.packtool.pointer+json";
    static final String ROOT = "application/vnd.packtool.root+json";
    /** The largest file of a pointer or root. */
    static final int SIZE = 64 << 10;
    private static final int SIGNATURES = 64;

    /** A signature, and the key that it names. */
    static final class Signed {
        final String key;
        final byte[] signature;

        private Signed(String key, byte[] signature) {
            this.key = key;
            this.signature = signature;
        }
    }

    /** The bytes of the file. */
    final byte[] bytes;
    final byte[] payload;
    final List<Signed> signatures = new ArrayList<>();
    private final String type;

    private Envelope(byte[] bytes, String type, byte[] payload) {
        this.bytes = bytes;
        this.type = type;
        this.payload = payload;
    }

    /**
     * Reads an envelope.
     *
     * @param code the code of the error for another form or type
     */
    static Envelope read(byte[] bytes, String type, String code) throws PackError {
        if (bytes.length > SIZE) {
            throw PackError.origin(code, "an envelope is larger than 64 KiB");
        }
        Members outer = Json.parse(bytes, code);
        if (!outer.string("payloadType").equals(type)) {
            throw outer.invalid("payloadType", "is not '" + type + "'");
        }
        Envelope envelope = new Envelope(bytes, type, outer.base64("payload"));
        String digest = outer.digestOrNull("digest");
        if (digest != null && !digest.equals(Bytes.sha256(envelope.payload))) {
            throw outer.invalid("digest", "is not that of the payload");
        }
        for (Members one : outer.objects("signatures", SIGNATURES)) {
            envelope.signatures.add(new Signed(one.string("keyid"), one.base64("sig")));
        }
        return envelope;
    }

    /** The bytes that signatures cover. */
    byte[] message() {
        byte[] head = Bytes.utf8("DSSEv1 " + Bytes.utf8(type).length + " " + type + " "
            + payload.length + " ");
        byte[] message = new byte[head.length + payload.length];
        System.arraycopy(head, 0, message, 0, head.length);
        System.arraycopy(payload, 0, message, head.length, payload.length);
        return message;
    }
}
