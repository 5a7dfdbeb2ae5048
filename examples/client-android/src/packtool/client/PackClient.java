package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Keeps the web pages of an app up to date, and decides which release of them runs.
 *
 * <p>Make one client for each package. Call {@link #start()} before the first page is loaded, {@link
 * #markReady()} when the page works, and {@link #update(UpdateOptions)} on a worker thread whenever
 * there is time and network. The running release is never changed. All methods may be called on any
 * thread.
 */
public final class PackClient {
    /** The time until an update that failed is due again, in seconds. */
    private static final double RETRY = 60;

    private final PackConfiguration configuration;
    private final NativeVersion nativeVersion;
    private final TrustRoot pin;
    private final Path directory;
    /** The releases that ran in this process: their files may be in use. */
    private final Set<String> inUse = new HashSet<>();
    private AppStart running;
    private String channel;
    private double dueAt = Double.NEGATIVE_INFINITY;

    /**
     * Makes a client; nothing is read or written yet.
     *
     * @throws PackError for a configuration that cannot work
     */
    public PackClient(PackConfiguration configuration) throws PackError {
        configuration.check();
        this.configuration = configuration;
        directory = configuration.directory.toPath();
        nativeVersion = configuration.nativeVersion == null ? null
            : NativeVersion.parse(configuration.nativeVersion);
        pin = configuration.trustRoot == null ? null
            : TrustRoot.standing(configuration.trustRoot);
    }

    /**
     * Decides which release runs, in milliseconds and without the network.
     *
     * <p>Call it once for each start of the app, and again only to run an update without a restart.
     * The start is stored before it returns: a release that did not become ready in two starts is
     * not started again by this version of the app.
     */
    public synchronized PackStart start() {
        AppStart.Request request = new AppStart.Request();
        request.directory = directory;
        request.nativeVersion = nativeVersion;
        request.app = configuration.app;
        request.now = configuration.clock.now();
        PackError problem = null;
        try {
            request.embedded = embedded();
        } catch (PackError error) {
            // A bundled release that cannot be read does not stop the downloaded ones.
            problem = error;
        } catch (IOException error) {
            problem = PackError.disk(error);
        }
        running = AppStart.start(request);
        if (running.running != null) {
            inUse.add(running.running.version);
        }
        return new PackStart(running, problem);
    }

    /**
     * Confirms that the running release works, so that it stays and earlier ones may go.
     *
     * @throws PackError if it could not be stored; call it again later
     */
    public synchronized void markReady() throws PackError {
        if (running == null || running.place == null) {
            return;
        }
        try {
            AppStart.confirm(directory, running.place, inUse);
        } catch (IOException error) {
            throw PackError.disk(error);
        }
    }

    /** The files of the running release, for the handler; null if none runs. */
    public synchronized PackFiles files() {
        return running == null || running.running == null ? null
            : new PackFiles(running.path, running.running.version);
    }

    /**
     * Switches to another channel with the next update.
     *
     * @throws PackError if the name is not that of a channel
     */
    public synchronized void use(String channel) throws PackError {
        if (!Names.isChannel(channel)) {
            throw new PackError("usage.invalid-argument",
                "'" + Names.printable(channel) + "' is not the name of a channel",
                "use a name such as production");
        }
        this.channel = channel;
        dueAt = Double.NEGATIVE_INFINITY;
    }

    /**
     * Looks for a newer release, and installs it beside the running one.
     *
     * <p>It blocks: call it on a worker thread. If the thread is interrupted, the update ends with an
     * error, and the next one continues its download.
     */
    public PackUpdate update(UpdateOptions options) {
        double begun = System.nanoTime() / 1e9;
        String switched;
        synchronized (this) {
            if (begun < dueAt && !options.isForced) {
                return PackUpdate.held(PackUpdate.Reason.NOT_DUE);
            }
            dueAt = begun + configuration.interval * (0.8 + 0.4 * Math.random());
            switched = channel;
        }
        PackUpdate update = attempt(options, switched);
        synchronized (this) {
            if (update.result == PackUpdate.Result.FAILED) {
                dueAt = begun + Math.min(configuration.interval, RETRY);
            } else if (switched != null && switched.equals(channel)
                && update.reason != PackUpdate.Reason.BUSY) {
                channel = null;
            }
        }
        return update;
    }

    private PackUpdate attempt(UpdateOptions options, String switched) {
        try {
            InstallRequest request = request(options, switched);
            long[] progress = new long[2];
            request.downloads = bytes -> progress[1] = Bytes.plus(progress[1], bytes);
            HttpRequests requests = new HttpRequests(configuration.transport, agent(), bytes -> {
                progress[0] += bytes;
                if (options.progress != null && progress[1] > 0) {
                    options.progress.downloading(Math.min(progress[0], progress[1]), progress[1]);
                }
            });
            Origin origin = configuration.isRemote()
                ? new HttpOrigin(
                    configuration.addresses(), requests, directory.resolve(".parts"))
                : new DirectoryOrigin(java.nio.file.Paths.get(configuration.origin));
            InstallReport report = Installer.install(request, origin);
            boolean isEmbedded = InstallState.EMBEDDED.equals(report.state.current);
            Path path = isEmbedded ? request.embedded.path
                : Installation.tree(directory, report.installed.version);
            return PackUpdate.of(
                report.outcome, new PackRelease(report.installed, path, isEmbedded));
        } catch (PackError error) {
            return PackUpdate.failed(error);
        } catch (IOException error) {
            return PackUpdate.failed(Thread.currentThread().isInterrupted()
                ? new PackError("client.cancelled", "the update was cancelled", "call it again")
                : PackError.disk(error));
        } catch (RuntimeException error) {
            // A fault of this client must not end the app.
            return PackUpdate.failed(new PackError("client.internal",
                "the client has a fault: " + error, "report it with the address of the origin"));
        } catch (OutOfMemoryError error) {
            return PackUpdate.failed(new PackError("client.out-of-memory",
                "the update needs more memory than the app has", "lower UpdateLimits.memory"));
        }
    }

    private InstallRequest request(UpdateOptions options, String switched)
        throws IOException, PackError {
        InstallState state = Files.isDirectory(directory) ? new StateFile(directory).read() : null;
        InstallRequest request = new InstallRequest();
        request.directory = directory;
        request.app = configuration.app;
        request.nativeVersion = nativeVersion;
        request.platform = configuration.platform;
        request.now = configuration.clock.now();
        try {
            request.embedded = embedded();
        } catch (PackError error) {
            if (state == null || state.trees.isEmpty()) {
                throw error;
            }
        }
        request.channel = switched != null ? switched
            : state == null && request.embedded == null ? configuration.channel : null;
        request.pin = pin;
        request.pinHash = configuration.trustHash;
        request.pinVersion = configuration.trustVersion;
        request.isMetered = options.isMetered;
        request.isTreeChecked = options.checksFiles;
        request.limits = options.limits;
        synchronized (this) {
            request.inUse = new HashSet<>(inUse);
        }
        return request;
    }

    private EmbeddedRelease embedded() throws IOException, PackError {
        if (configuration.embedded == null) {
            return null;
        }
        EmbeddedRelease embedded = EmbeddedRelease.read(configuration.embedded.toPath());
        if (!embedded.app.equals(configuration.app)) {
            throw EmbeddedRelease.otherApp(configuration.app, embedded.app);
        }
        return embedded;
    }

    /** The header {@code User-Agent}: what runs, but nothing that identifies the device. */
    synchronized String agent() {
        Copy copy = running == null ? null : running.running;
        String name = copy == null ? "" : "/" + (copy.label == null ? copy.version : copy.label);
        String app = nativeVersion == null ? "" : " native/" + nativeVersion.text;
        StringBuilder agent = new StringBuilder();
        for (char one : ("packtool-client/1 " + configuration.app + name + app).toCharArray()) {
            agent.append(one < 0x20 || one > 0x7E ? '?' : one);
        }
        return agent.toString();
    }

    /**
     * Removes everything that was downloaded, and what the device knows of pointers and failures;
     * the trust root stays.
     *
     * <p>Use it only if a start or an update reports {@code install.damaged-state}.
     */
    public void reset() throws PackError {
        try {
            if (!Files.isDirectory(directory)) {
                return;
            }
            if (!Installation.isUsable(directory)) {
                throw Installation.notAnInstallation(directory);
            }
            DirectoryLock lock = DirectoryLock.take(directory, Installation.LOCK);
            if (lock == null) {
                throw Installation.busy(directory);
            }
            try {
                Installation.mark(directory, lock);
                Installation.open(directory).reset();
            } finally {
                lock.close();
            }
        } catch (IOException error) {
            throw PackError.disk(error);
        }
    }
}
