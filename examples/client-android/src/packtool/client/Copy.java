package packtool.client;

/** A release on the device. */
final class Copy {
    static final int ATTEMPTS = 2;

    final String version;
    final String packageHash;
    /** The channel, epoch (null without a root) and sequence of the newest pointer that chose it. */
    String channel;
    Long epoch;
    long sequence;
    String label;
    NativeVersion least;
    NativeVersion most;
    String launch;
    /** The kind of download: {@code package}, {@code delta}, {@code files} or {@code none}. */
    String route;
    long installedAt;
    boolean isConfirmed;
    /** The starts without becoming ready. */
    int attempts;

    Copy(String version, String packageHash) {
        this.version = version;
        this.packageHash = packageHash;
    }

    Copy copy() {
        Copy other = new Copy(version, packageHash);
        other.channel = channel;
        other.epoch = epoch;
        other.sequence = sequence;
        other.label = label;
        other.least = least;
        other.most = most;
        other.launch = launch;
        other.route = route;
        other.installedAt = installedAt;
        other.isConfirmed = isConfirmed;
        other.attempts = attempts;
        return other;
    }

    /** Whether an older pointer chose this release than an epoch and a sequence. */
    boolean isBefore(long otherEpoch, long otherSequence) {
        long own = epoch == null ? 0 : epoch;
        return own < otherEpoch || own == otherEpoch && sequence < otherSequence;
    }

    static Copy read(Members members) throws PackError {
        Copy copy = new Copy(members.version("version"), members.digest("packageHash"));
        copy.channel = members.channel("channel");
        copy.epoch = members.integerOrNull("epoch", 1);
        copy.sequence = members.integer("sequence", 1);
        copy.label = members.stringOrNull("label");
        copy.least = members.nativeVersionOrNull("minNativeVersion");
        copy.most = members.nativeVersionOrNull("maxNativeVersion");
        copy.launch = members.stringOrNull("launch");
        if (copy.launch != null && Names.problemOfBuild(copy.launch) != null) {
            throw members.invalid("launch", "is not a path");
        }
        copy.route = route(members, "route");
        copy.installedAt = members.time("installedAt");
        copy.isConfirmed = members.bool("confirmed");
        copy.attempts = (int) members.integer("attempts", 0, ATTEMPTS);
        return copy;
    }

    static String route(Members members, String name) throws PackError {
        String route = members.string(name);
        if (!route.equals("package") && !route.equals("delta") && !route.equals("files")
            && !route.equals("none")) {
            throw members.invalid(name, "is not known to this client");
        }
        return route;
    }

    void write(JsonWriter json) {
        json.begin("{");
        json.string("version", version);
        json.string("packageHash", packageHash);
        json.string("channel", channel);
        json.number("epoch", epoch);
        json.number("sequence", sequence);
        json.stringOrNull("label", label);
        json.string("minNativeVersion", least == null ? null : least.text);
        json.string("maxNativeVersion", most == null ? null : most.text);
        json.string("launch", launch);
        json.string("route", route);
        json.string("installedAt", Timestamp.text(installedAt));
        json.bool("confirmed", isConfirmed);
        json.number("attempts", (long) attempts);
        json.end("}");
    }
}
