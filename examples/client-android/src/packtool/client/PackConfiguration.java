package packtool.client;

import java.io.File;
import java.util.ArrayList;
import java.util.List;

/** What a {@link PackClient} needs to know. */
public final class PackConfiguration {
    /** The origin's address, {@code https://…}; a directory for tests. */
    public final String origin;
    /** The app's name, as in {@code packtool.yaml}. */
    public final String app;
    /** The directory for downloaded releases, which belongs to this package alone. */
    public final File directory;
    /** Further addresses of the same origin, tried in turn. */
    public final List<String> mirrors = new ArrayList<>();
    /** The channel of a new installation; null for that of the embedded release, else production. */
    public String channel;
    /** The bytes of the root of trust in the app; null for that of the embedded release, if any. */
    public byte[] trustRoot;
    /** Instead of the bytes: the SHA-256 of the root's file, and its version. */
    public String trustHash;
    /** The version of the root whose hash is given. */
    public long trustVersion = 1;
    /** The directory that {@code packtool embed} wrote; null if the app has no release. */
    public File embedded;
    /** The app's version, 1 to 4 numbers joined by dots; null if unknown. */
    public String nativeVersion;
    /** The app's platform, for releases with limits by platform; null to obey those of both. */
    public String platform = "android";
    /** Sends requests. */
    public PackTransport transport = new UrlTransport();
    /** The time between updates that are not forced, in seconds; it varies by 20 %. */
    public double interval = 900;
    /** The clock, in seconds since 1970; tests set it. */
    public Clock clock = () -> System.currentTimeMillis() / 1000;

    /** A clock, which decides whether pointers and roots have expired. */
    public interface Clock {
        /** Seconds since 1970. */
        long now();
    }

    /** Makes a configuration with the values that have no default. */
    public PackConfiguration(String origin, String app, File directory) {
        this.origin = origin;
        this.app = app;
        this.directory = directory;
    }

    /** Whether a web server has the origin. */
    boolean isRemote() {
        return origin.startsWith("https://") || origin.startsWith("http://");
    }

    /** Refuses values that cannot work. */
    void check() throws PackError {
        if (!Names.isApp(app)) {
            throw wrong("app", app, "use the name in packtool.yaml");
        }
        if (channel != null && !Names.isChannel(channel)) {
            throw wrong("channel", channel, "use the name of a channel, such as production");
        }
        if (nativeVersion != null && NativeVersion.parse(nativeVersion) == null) {
            throw wrong("nativeVersion", nativeVersion, "use 1 to 4 numbers, such as 3.2");
        }
        if (platform != null && !platform.equals("android") && !platform.equals("ios")) {
            throw wrong("platform", platform, "use android or ios");
        }
        if (trustHash != null && (!Bytes.isDigest(trustHash) || trustVersion < 1)) {
            throw wrong("trustHash", trustHash, "use the SHA-256 of the root's file");
        }
        for (String address : addresses()) {
            boolean isRight = Entry.isBase(address) || !isRemote() && address.equals(origin);
            if (!isRight) {
                throw wrong("origin", address, "use an address such as https://cdn.example.com/shop");
            }
        }
    }

    /** The address and its mirrors, without a slash at the end. */
    List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        addresses.add(origin);
        addresses.addAll(mirrors);
        addresses.replaceAll(one -> one.endsWith("/") ? one.substring(0, one.length() - 1) : one);
        return addresses;
    }

    private static PackError wrong(String name, String value, String advice) {
        return new PackError("usage.invalid-argument",
            "the value '" + Names.printable(value) + "' of '" + name + "' is not valid", advice);
    }
}
