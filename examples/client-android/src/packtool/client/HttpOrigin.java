package packtool.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** An origin on a web server, with mirrors. */
final class HttpOrigin implements Origin {
    /** Files up to this size are not continued: fetching them again is cheap. */
    private static final long SMALL = 256 << 10;

    private final List<String> addresses;
    private final HttpRequests requests;
    private final Path parts;
    private final boolean isPastCaches;
    /** Addresses that failed in this run. */
    private final Set<String> failed;

    /** @param parts the directory of partial files, which a later run continues */
    HttpOrigin(List<String> addresses, HttpRequests requests, Path parts) {
        this(addresses, requests, parts, false, new HashSet<>());
    }

    private HttpOrigin(List<String> addresses, HttpRequests requests, Path parts,
        boolean isPastCaches, Set<String> failed) {
        this.addresses = addresses;
        this.requests = requests;
        this.parts = parts;
        this.isPastCaches = isPastCaches;
        this.failed = failed;
    }

    @Override
    public String address() {
        return addresses.get(0);
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public Origin pastCaches() {
        return isPastCaches ? null : new HttpOrigin(addresses, requests, parts, true, failed);
    }

    private List<String> rest() {
        List<String> rest = new ArrayList<>(addresses);
        rest.removeAll(failed);
        return rest.isEmpty() ? addresses : rest;
    }

    private static String url(String address, String path, boolean isPastCaches) {
        return address + "/" + path + (isPastCaches ? "?packtool=" + Disk.uniqueName() : "");
    }

    @Override
    public PointerFile pointer(String path, ChannelState.Answer known, long now)
        throws IOException, PackError {
        PackError failure = null;
        boolean isMissing = false;
        for (String address : rest()) {
            try {
                PointerFile file = pointer(address, path, known, isPastCaches, now);
                if (file != null) {
                    return file;
                }
                isMissing = true;
            } catch (PackError error) {
                failed.add(address);
                failure = failure == null ? error : failure;
            }
        }
        if (failure != null && !isMissing) {
            throw failure;
        }
        return null;
    }

    private PointerFile pointer(String address, String path, ChannelState.Answer earlier,
        boolean isPastCaches, long now) throws IOException, PackError {
        String shown = address + "/" + path;
        boolean canConfirm = !isPastCaches && earlier != null && earlier.address.equals(shown);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        HttpRequests.Head head = requests.get(url(address, path, isPastCaches),
            canConfirm ? earlier.tag : null, Envelope.SIZE, true, new Memory(content));
        if (head.isMissing()) {
            return null;
        }
        if (head.status == 304 && canConfirm) {
            if (head.tag != null && !earlier.hasTag(head.tag)) {
                // A tag of another file confirms nothing.
                return pointer(address, path, null, isPastCaches, now);
            }
            return new PointerFile(earlier.bytes, earlier, true);
        }
        head.checkSuccess(shown);
        byte[] bytes = content.toByteArray();
        return new PointerFile(
            bytes, ChannelState.Answer.of(shown, head.tag, bytes, now), false);
    }

    @Override
    public byte[] read(String path, int limit) throws IOException, PackError {
        PackError failure = null;
        boolean isMissing = false;
        for (String address : rest()) {
            try {
                ByteArrayOutputStream content = new ByteArrayOutputStream();
                HttpRequests.Head head = requests.get(url(address, path, isPastCaches), null,
                    limit, true, new Memory(content));
                if (!head.isMissing()) {
                    head.checkSuccess(address + "/" + path);
                    return content.toByteArray();
                }
                isMissing = true;
            } catch (PackError error) {
                failed.add(address);
                failure = failure == null ? error : failure;
            }
        }
        if (failure != null && !isMissing) {
            throw failure;
        }
        return null;
    }

    @Override
    public void fetch(String path, FileReference file, Path target)
        throws IOException, PackError {
        Path part = target;
        if (file.size > SMALL) {
            Disk.makeDirectory(parts);
            part = parts.resolve(file.sha256 + ".part");
        }
        PackError failure = null;
        String problem = null;
        for (String address : rest()) {
            try {
                for (boolean isPast : new boolean[] {false, true}) {
                    String fault = attempt(address, path, file, part, isPast);
                    if (fault == null) {
                        if (part != target) {
                            Disk.move(part, target);
                        }
                        return;
                    }
                    problem = fault.isEmpty() ? problem : fault;
                }
                if (problem != null) {
                    failed.add(address);
                }
            } catch (PackError error) {
                failed.add(address);
                failure = failure == null ? error : failure;
            }
        }
        if (problem != null) {
            throw Origin.differs(path, problem);
        }
        throw failure != null ? failure : Origin.missing(path);
    }

    /** Fetches a file into a part; null if it is whole, empty if it is missing, else the problem. */
    private String attempt(String address, String path, FileReference file, Path part,
        boolean isPast) throws IOException, PackError {
        String fault = "";
        // A part that does not fit its file is fetched once more from the start.
        for (int tries = 0; tries < 2; tries++) {
            PartFile sink = new PartFile(part, file.size);
            if (sink.isWhole(file)) {
                return null;
            }
            if (sink.offset() >= file.size) {
                Files.deleteIfExists(part);
            }
            HttpRequests.Head head = requests.get(url(address, path, isPast), null,
                file.size, false, sink);
            if (head.isMissing()) {
                return "";
            }
            if (head.status != 416) {
                head.checkStatus(address + "/" + path);
            }
            if (head.isTransformed()) {
                sink.problem = "arrives with another Content-Encoding; turn compression off";
            }
            if (head.status != 416 && sink.problem == null && sink.isWhole(file)) {
                return null;
            }
            Files.deleteIfExists(part);
            if (head.status != 206 && head.status != 416) {
                return sink.problem != null ? sink.problem : "does not match its pointer";
            }
            fault = "is answered with wrong ranges";
        }
        return fault;
    }

    /** A small file in memory. */
    private static final class Memory implements HttpRequests.Sink {
        private final ByteArrayOutputStream content;

        Memory(ByteArrayOutputStream content) {
            this.content = content;
        }

        @Override
        public long offset() {
            return 0;
        }

        @Override
        public long begin(boolean isContinued) {
            content.reset();
            return 0;
        }

        @Override
        public boolean write(byte[] data, int length) {
            content.write(data, 0, length);
            return true;
        }

        @Override
        public void end() {}
    }

    /** A file on disk that may have been begun. */
    private static final class PartFile implements HttpRequests.Sink {
        private final Path path;
        private final long limit;
        private FileChannel file;
        private long written;
        String problem;

        PartFile(Path path, long limit) {
            this.path = path;
            this.limit = limit;
        }

        @Override
        public long offset() throws IOException {
            return Disk.isFile(path) ? Files.size(path) : 0;
        }

        boolean isWhole(FileReference wanted) throws IOException {
            if (!Disk.isFile(path) || Files.size(path) != wanted.size) {
                return false;
            }
            java.security.MessageDigest hash = Bytes.sha256();
            byte[] piece = new byte[Disk.PIECE];
            try (java.io.InputStream in = Files.newInputStream(path)) {
                for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
                    hash.update(piece, 0, count);
                }
            }
            return Bytes.hex(hash.digest()).equals(wanted.sha256);
        }

        @Override
        public long begin(boolean isContinued) throws IOException {
            end();
            problem = null;
            written = isContinued ? offset() : 0;
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            file.truncate(written);
            file.position(written);
            return written;
        }

        @Override
        public boolean write(byte[] data, int length) throws IOException {
            if (written + length > limit) {
                problem = "has more bytes than its pointer states";
                return false;
            }
            Disk.write(file, data, 0, length);
            written += length;
            return true;
        }

        @Override
        public void end() throws IOException {
            if (file != null) {
                file.close();
                file = null;
            }
        }
    }
}
