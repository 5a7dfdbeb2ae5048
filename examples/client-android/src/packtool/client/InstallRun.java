package packtool.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of the installer, from an accepted pointer to the commit. */
final class InstallRun {
    /** After this many seconds, the pointer is read once more before the switch. */
    private static final double PATIENCE = 300;

    /** A release on the device, and where its files are. */
    static final class Base {
        final String place;
        final Copy copy;
        final Path path;

        Base(String place, Copy copy, Path path) {
            this.place = place;
            this.copy = copy;
            this.path = path;
        }
    }

    final InstallRequest request;
    final Origin origin;
    final Installation installation;
    final List<String> notes = new ArrayList<>();
    Long speed;
    private final Acceptance acceptance;

    InstallRun(InstallRequest request, Origin origin, Installation installation,
        Acceptance acceptance) {
        this.request = request;
        this.origin = origin;
        this.installation = installation;
        this.acceptance = acceptance;
    }

    private InstallState state() {
        return acceptance.state;
    }

    /** Installs what a pointer offers; a newer pointer may begin the run again some times. */
    InstallReport run(PointerIntake.Offer first, int looks) throws IOException, PackError {
        double begun = request.seconds.now();
        PointerIntake.Offer offer = first;
        acceptance.accept(offer);
        speed = state().speed;
        acceptance.checkCondition(offer.pointer);
        List<Base> bases = bases();
        Base installed = bases.isEmpty() || !bases.get(0).place.equals(state().current)
            ? null : bases.get(0);
        Pointer.Device device = acceptance.device(state(), offer.pointer);
        Entry entry = acceptance.choose(offer.pointer, installed != null, device, notes);
        if (entry == null) {
            return keep(installed, offer.pointer.isClosed ? "closed"
                : device.hasFailure ? "failed" : "kept");
        }
        InstallReport report = reuse(offer.pointer, entry, bases, installed);
        if (report != null) {
            return report;
        }
        boolean isRepair = state().at(entry.version) != null;
        Routes routes = new Routes(this, offer, entry, bases);
        Listing listing = routes.take();
        if (entry.launch != null && !listing.has(entry.launch)) {
            throw Origin.differs("pointer.json", "names a launch page that its release lacks");
        }
        if (looks > 0 && request.seconds.now() - begun > PATIENCE) {
            PointerIntake.Offer later = laterOffer(offer);
            if (later != null) {
                Entry same = continues(later, entry, installed);
                if (same == null) {
                    Disk.remove(installation.staging);
                    Files.createDirectory(installation.staging);
                    return run(later, looks - 1);
                }
                offer = later;
                entry = same;
            }
        }
        installation.move(installation.staging.resolve("tree"), entry.version);
        String outcome = isRepair && installed != null && installed.place.equals(entry.version)
            ? "repaired" : installed == null ? "installed" : "updated";
        report = finish(offer.pointer, entry, entry.version, outcome, installed, routes.route);
        report.files = listing.count();
        report.bytes = listing.size();
        return report;
    }

    /** The releases on the device, the current one first. */
    private List<Base> bases() {
        List<Base> bases = new ArrayList<>();
        for (Copy tree : state().trees) {
            bases.add(new Base(tree.version, tree, installation.tree(tree.version)));
        }
        if (request.embedded != null && state().embedded != null) {
            bases.add(
                new Base(InstallState.EMBEDDED, state().embedded, request.embedded.path));
        }
        for (Base base : bases) {
            if (base.place.equals(state().current)) {
                bases.remove(base);
                bases.add(0, base);
                break;
            }
        }
        return bases;
    }

    static Scan scan(Base base) throws IOException {
        return Scan.of(base.path, !base.place.equals(InstallState.EMBEDDED));
    }

    /** Ends a run whose release is on the device already, if its files are intact. */
    private InstallReport reuse(Pointer pointer, Entry entry, List<Base> bases, Base installed)
        throws IOException, PackError {
        for (Base base : bases) {
            if (!base.copy.version.equals(entry.version)) {
                continue;
            }
            boolean isCurrent = base == installed;
            if (!isCurrent || request.isTreeChecked) {
                Scan scan = scan(base);
                if (!scan.isClean || !scan.listing.packageHash().equals(entry.packageHash)) {
                    continue;
                }
            }
            InstallReport report = finish(pointer, entry, base.place,
                isCurrent ? "unchanged" : "updated", installed, null);
            report.files = entry.assets;
            report.bytes = entry.size;
            return report;
        }
        return null;
    }

    /** Makes a release the current one: the commit of an update. */
    private InstallReport finish(Pointer pointer, Entry entry, String place, String outcome,
        Base previous, String route) throws IOException, PackError {
        InstallReport report = new InstallReport();
        report.state = installation.stateFile.change(stored -> {
            InstallState next = stored != null ? stored : state().copy();
            if (request.embedded != null) {
                next.include(request.embedded);
            }
            Copy copy = next.at(place);
            if (copy == null) {
                copy = new Copy(entry.version, entry.packageHash);
                copy.route = route == null ? "none" : route;
                copy.installedAt = request.now;
            }
            copy.channel = acceptance.channel;
            copy.epoch = next.seen().epoch;
            copy.sequence = pointer.sequence;
            copy.label = entry.label;
            NativeRange range = entry.range(request.platform);
            copy.least = range.least;
            copy.most = range.most;
            copy.launch = entry.launch;
            if (place.equals(InstallState.EMBEDDED)) {
                next.embedded = copy;
                next.current = place;
            } else {
                next.choose(copy);
            }
            next.speed = speed;
            next.trim(request.inUse);
            report.installed = copy;
            return next;
        });
        report.outcome = outcome;
        report.previous = previous == null ? null : previous.copy.version;
        report.route = route;
        report.notes = notes;
        installation.removeTrees(report.state);
        return report;
    }

    /** Ends a run whose pointer offers this device nothing. */
    private InstallReport keep(Base installed, String outcome) throws IOException {
        InstallReport report = new InstallReport();
        report.outcome = outcome;
        report.state = state();
        report.installed = installed.copy;
        report.previous = installed.copy.version;
        report.notes = notes;
        if (request.isTreeChecked) {
            Scan scan = scan(installed);
            report.files = scan.listing.count();
            report.bytes = scan.listing.size();
            report.isDamaged = !scan.isClean
                || !scan.listing.packageHash().equals(installed.copy.packageHash);
        }
        return report;
    }

    /** The channel's offer now, if it is another one; null if it cannot be read. */
    private PointerIntake.Offer laterOffer(PointerIntake.Offer offer) throws IOException {
        try {
            PointerIntake.Offer later =
                new PointerIntake(request, origin, installation, acceptance.channel, state())
                    .take();
            boolean isOther = !later.pointer.payloadHash.equals(offer.pointer.payloadHash);
            boolean isNewer = later.root != null || later.pointer.sequence > state().seen().sequence;
            return isOther && isNewer ? later : null;
        } catch (PackError error) {
            notes.add("the pointer could not be read again before the switch: " + error);
            return null;
        }
    }

    /** The entry to continue with, if a later pointer offers the release that was downloaded. */
    private Entry continues(PointerIntake.Offer later, Entry entry, Base installed)
        throws IOException, PackError {
        acceptance.accept(later);
        acceptance.checkCondition(later.pointer);
        Entry chosen = acceptance.choose(later.pointer, installed != null,
            acceptance.device(state(), later.pointer), notes);
        return chosen != null && chosen.packageHash.equals(entry.packageHash) ? chosen : null;
    }
}
