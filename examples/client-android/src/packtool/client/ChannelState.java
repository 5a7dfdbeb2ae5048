package packtool.client;

/** The last pointer of a channel that this device accepted. */
final class ChannelState {
    /** A pointer as received over HTTP, for a conditional request. */
    static final class Answer {
        final String address;
        final String tag;
        final byte[] bytes;
        final long receivedAt;

        private Answer(String address, String tag, byte[] bytes, long receivedAt) {
            this.address = address;
            this.tag = tag;
            this.bytes = bytes;
            this.receivedAt = receivedAt;
        }

        /** An answer with a tag; null if the tag is none of at most 256 bytes (RFC 9110, 8.8.3). */
        static Answer of(String address, String tag, byte[] bytes, long receivedAt) {
            if (tag == null || tag.length() > 256) {
                return null;
            }
            String quoted = opaque(tag);
            boolean isRight = quoted.length() >= 2 && quoted.startsWith("\"")
                && quoted.endsWith("\"");
            for (int index = 1; index < quoted.length() - 1; index++) {
                char one = quoted.charAt(index);
                isRight &= one > 0x20 && one < 0x7F && one != '"';
            }
            return isRight ? new Answer(address, tag, bytes, receivedAt) : null;
        }

        private static String opaque(String tag) {
            return tag.startsWith("W/") ? tag.substring(2) : tag;
        }

        /** Whether another tag means the same content. */
        boolean hasTag(String other) {
            return opaque(other.trim()).equals(opaque(tag));
        }

        /** Whether a server may confirm it: once a day the pointer is fetched whole. */
        boolean isFresh(long now) {
            return receivedAt <= now && now < receivedAt + Timestamp.DAY;
        }

        boolean isSame(Answer other) {
            return other != null && address.equals(other.address) && tag.equals(other.tag)
                && java.util.Arrays.equals(bytes, other.bytes);
        }
    }

    final String channel;
    /** The highest sequence seen, the hash of its payload, and the epoch of the root. */
    final long sequence;
    final String payloadHash;
    final Long epoch;
    boolean isEnabled = true;
    boolean bypasses;
    Long mandatorySequence;
    Long expires;
    /** The release that the pointer offers this device. */
    String offered;
    Answer answer;

    ChannelState(String channel, long sequence, String payloadHash, Long epoch) {
        this.channel = channel;
        this.sequence = sequence;
        this.payloadHash = payloadHash;
        this.epoch = epoch;
    }

    ChannelState copy() {
        ChannelState other = new ChannelState(channel, sequence, payloadHash, epoch);
        other.isEnabled = isEnabled;
        other.bypasses = bypasses;
        other.mandatorySequence = mandatorySequence;
        other.expires = expires;
        other.offered = offered;
        other.answer = answer;
        return other;
    }

    long epochOrZero() {
        return epoch == null ? 0 : epoch;
    }

    boolean isBefore(ChannelState other) {
        return epochOrZero() < other.epochOrZero()
            || epochOrZero() == other.epochOrZero() && sequence < other.sequence;
    }

    static ChannelState read(Members members) throws PackError {
        ChannelState state = new ChannelState(members.channel("channel"),
            members.integer("sequence", 1), members.digestOrNull("payloadHash"),
            members.integerOrNull("epoch", 1));
        state.isEnabled = members.bool("enabled");
        state.bypasses = members.bool("bypass");
        state.mandatorySequence = members.integerOrNull("mandatorySequence", 1);
        state.expires = members.timeOrNull("expires");
        state.offered = members.versionOrNull("offered");
        state.answer = answer(members);
        return state;
    }

    /** The member {@code answer}; {@code null} also if it is damaged, because it only saves time. */
    static Answer answer(Members members) {
        try {
            Members answer = members.objectOrNull("answer");
            return answer == null ? null
                : Answer.of(answer.string("address"), answer.string("tag"),
                    answer.base64("bytes"), answer.time("receivedAt"));
        } catch (PackError error) {
            return null;
        }
    }

    void write(JsonWriter json) {
        json.begin("{");
        json.string("channel", channel);
        json.number("sequence", sequence);
        json.string("payloadHash", payloadHash);
        json.number("epoch", epoch);
        json.bool("enabled", isEnabled);
        json.bool("bypass", bypasses);
        json.number("mandatorySequence", mandatorySequence);
        json.string("expires", expires == null ? null : Timestamp.text(expires));
        json.string("offered", offered);
        if (answer != null) {
            json.name("answer");
            json.begin("{");
            json.string("address", answer.address);
            json.string("tag", answer.tag);
            json.string("receivedAt", Timestamp.text(answer.receivedAt));
            json.string("bytes", Bytes.base64(answer.bytes));
            json.end("}");
        }
        json.end("}");
    }
}
