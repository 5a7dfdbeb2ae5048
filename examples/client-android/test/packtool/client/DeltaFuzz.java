package packtool.client;

import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Mutated streams of a delta: each is decoded or refused with an error that has a code. */
public final class DeltaFuzz {
    private DeltaFuzz() {}

    /** The arguments: base, delta, number of mutants, seed. */
    public static void main(String[] arguments) throws Exception {
        Path base = Paths.get(arguments[0]);
        int count = Integer.parseInt(arguments[2]);
        Random dice = new Random(Long.parseLong(arguments[3]));
        Scan scan = Scan.of(base, false);
        OldFiles old = new OldFiles(scan.listing);
        int refused = 0;
        try (DeltaFile delta = new DeltaFile(
            Paths.get(arguments[1]), UpdateLimits.MEMORY)) {
            byte[][] streams = new byte[delta.streams.size()][];
            for (int index = 0; index < streams.length; index++) {
                streams[index] = ZipContent.bytes(delta.zip,
                    delta.zip.entries.get("patches/" + index), Integer.MAX_VALUE);
            }
            for (int index = 0; index < count; index++) {
                byte[] data = mutated(streams[dice.nextInt(streams.length)], dice);
                try {
                    decode(data, old, base, 24L << 20);
                } catch (PackError error) {
                    refused += error.isOf("delta") || error.isOf("build") ? 1 : 0;
                } catch (RuntimeException | Error error) {
                    throw new AssertionError("mutant " + index + " of seed " + arguments[3], error);
                }
            }
        }
        System.out.println(count + " mutated streams, " + refused + " refused");
    }

    private static void decode(byte[] data, OldFiles old, Path base, long stated)
        throws Exception {
        StreamListing stream = new StreamListing();
        stream.readHeader(data);
        stream.readListing(data, old, new KnownNames(), null);
        if (stream.coded > 200_000) {
            return;
        }
        List<StreamListing> all = new ArrayList<>(Collections.singletonList(stream));
        new DeltaText(stream, all, stated, data.length).decode(data, base, old, stated);
    }

    private static byte[] mutated(byte[] original, Random dice) {
        byte[] data = original.clone();
        for (int change = dice.nextInt(4); change >= 0; change--) {
            int place = dice.nextInt(3);
            int range = place == 0 ? Math.min(12, data.length)
                : place == 1 ? Math.min(200, data.length) : data.length;
            int at = dice.nextInt(range);
            data[at] = (byte) (dice.nextBoolean() ? dice.nextInt(256)
                : data[at] ^ 1 << dice.nextInt(8));
        }
        return dice.nextInt(8) == 0 ? java.util.Arrays.copyOf(data, 1 + dice.nextInt(data.length))
            : data;
    }
}
