package packtool.client;

import java.util.List;
import java.util.Map;

/** The JSON of {@code state.json}, schema 2. Schema 1 is read. */
final class StateCoding {
    private static final String KIND = "packtool-installation";
    private static final int TREES = 100;
    private static final int FAILED = 1000;
    private static final String DAMAGED = "install.damaged-state";

    private StateCoding() {}

    static byte[] encode(InstallState state) {
        JsonWriter json = new JsonWriter();
        json.begin("{");
        json.number("schema", 2L);
        json.string("kind", KIND);
        json.string("app", state.app);
        json.string("channel", state.channel());
        json.string("device", state.device);
        json.string("current", state.current);
        json.string("started", state.started);
        json.string("nativeVersion", state.nativeVersion == null ? null : state.nativeVersion.text);
        json.name("channels");
        json.begin("[");
        for (ChannelState channel : state.channels) {
            channel.write(json);
        }
        json.end("]");
        json.name("trees");
        json.begin("[");
        for (Copy tree : state.trees) {
            tree.write(json);
        }
        json.end("]");
        if (state.embedded != null) {
            json.name("embedded");
            state.embedded.write(json);
        }
        json.name("failed");
        json.begin("[");
        for (String version : state.failed) {
            json.element(version);
        }
        json.end("]");
        if (!state.tried.isEmpty()) {
            json.name("tried");
            json.begin("[");
            for (Map.Entry<String, Integer> one : state.tried.entrySet()) {
                json.begin("{");
                json.string("version", one.getKey());
                json.number("attempts", (long) one.getValue());
                json.end("}");
            }
            json.end("]");
        }
        if (state.trust != null) {
            json.number("root", state.trust.root);
            json.number("epoch", state.trust.epoch);
            json.string("rootCheckedAt", Timestamp.text(state.trust.checkedAt));
        }
        json.number("speed", state.speed);
        json.end("}");
        return Bytes.utf8(json + "\n");
    }

    /** Whether a file is the state of an installation, of any schema. */
    static boolean isState(byte[] bytes) {
        try {
            return Json.parse(bytes, DAMAGED).string("kind").equals(KIND);
        } catch (PackError error) {
            return false;
        }
    }

    static InstallState decode(byte[] bytes) throws PackError {
        Members root = Json.parse(bytes, DAMAGED);
        long schema = root.integer("schema", 1, 2);
        if (!root.string("kind").equals(KIND)) {
            throw root.invalid("kind", "is not '" + KIND + "'");
        }
        InstallState state = schema == 1 ? first(root) : second(root);
        state.device = root.stringOrNull("device");
        try {
            state.speed = root.isMissing("speed") ? null : (Long) root.integer("speed", 1, 10_000);
        } catch (PackError error) {
            // It only saves time, so damage must not lose the rest.
            state.speed = null;
        }
        return state;
    }

    private static InstallState second(Members root) throws PackError {
        List<Members> channels = root.objects("channels", InstallState.CHANNELS);
        if (channels.isEmpty()) {
            throw root.invalid("channels", "is empty");
        }
        InstallState state =
            new InstallState(root.app("app"), ChannelState.read(channels.get(0)));
        if (!state.channel().equals(root.string("channel"))) {
            throw root.invalid("channels", "does not begin with the current channel");
        }
        for (Members channel : channels.subList(1, channels.size())) {
            state.channels.add(ChannelState.read(channel));
        }
        for (Members tree : root.objects("trees", TREES)) {
            state.trees.add(Copy.read(tree));
        }
        Members embedded = root.objectOrNull("embedded");
        state.embedded = embedded == null ? null : Copy.read(embedded);
        state.current = place(root, "current");
        state.started = place(root, "started");
        for (String version : root.strings("failed", FAILED)) {
            if (!Bytes.isVersion(version)) {
                throw root.invalid("failed", "has something other than versions");
            }
            state.failed.add(version);
        }
        if (!root.isMissing("tried")) {
            for (Members one : root.objects("tried", FAILED)) {
                state.tried.put(
                    one.version("version"), (int) one.integer("attempts", 1, Copy.ATTEMPTS));
            }
        }
        state.nativeVersion = root.nativeVersionOrNull("nativeVersion");
        state.trust = trust(root);
        return state;
    }

    private static String place(Members root, String name) throws PackError {
        String place = root.stringOrNull(name);
        if (place != null && !place.equals(InstallState.EMBEDDED) && !Bytes.isVersion(place)) {
            throw root.invalid(name, "is not a version");
        }
        return place;
    }

    private static InstallState.Trust trust(Members root) throws PackError {
        return root.isMissing("root") ? null
            : new InstallState.Trust(root.integer("root", 1), root.integer("epoch", 1),
                root.time("rootCheckedAt"));
    }

    /** The state of an older client: one channel and one tree, which counts as confirmed. */
    private static InstallState first(Members root) throws PackError {
        InstallState.Trust trust = trust(root);
        Long epoch = trust == null ? null : (Long) trust.epoch;
        ChannelState seen = new ChannelState(root.channel("channel"),
            root.integer("sequence", 1), root.digestOrNull("payloadHash"), epoch);
        seen.answer = ChannelState.answer(root);
        InstallState state = new InstallState(root.app("app"), seen);
        state.trust = trust;
        if (root.isMissing("version") && seen.payloadHash != null) {
            return state;
        }
        Copy copy = new Copy(root.version("version"), root.digest("packageHash"));
        copy.channel = seen.channel;
        copy.epoch = epoch;
        copy.sequence = root.isMissing("releaseSequence")
            ? seen.sequence : root.integer("releaseSequence", 1);
        copy.label = root.stringOrNull("label");
        copy.route = Copy.route(root, root.isMissing("route") ? "road" : "route");
        copy.installedAt = root.time("installedAt");
        copy.isConfirmed = true;
        state.choose(copy);
        return state;
    }
}
