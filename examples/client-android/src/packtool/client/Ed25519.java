package packtool.client;

import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Verification of Ed25519 signatures (RFC 8032), without the cofactor, as BoringSSL does it.
 *
 * <p>Android's providers have no Ed25519 below API 33 and not on each device above, so this is
 * written out. It has no secrets, so its time may depend on its input: a signature takes some
 * milliseconds.
 */
final class Ed25519 {
    private static final BigInteger P =
        BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    private static final BigInteger ORDER = BigInteger.ONE.shiftLeft(252)
        .add(new BigInteger("27742317777372353535851937790883648493"));
    private static final BigInteger D = BigInteger.valueOf(-121_665)
        .multiply(BigInteger.valueOf(121_666).modInverse(P)).mod(P);
    private static final BigInteger TWICE_D = D.shiftLeft(1).mod(P);
    private static final BigInteger ROOT_OF_MINUS_ONE =
        BigInteger.valueOf(2).modPow(P.subtract(BigInteger.ONE).shiftRight(2), P);
    private static final BigInteger BASE_Y =
        BigInteger.valueOf(4).multiply(BigInteger.valueOf(5).modInverse(P)).mod(P);
    private static final BigInteger[] ZERO =
        {BigInteger.ZERO, BigInteger.ONE, BigInteger.ONE, BigInteger.ZERO};
    private static final BigInteger[] BASE = point(BASE_Y, false);

    private Ed25519() {}

    /** Whether a signature of 64 bytes is that of a message by a key of 32 bytes. */
    static boolean verifies(byte[] key, byte[] message, byte[] signature) {
        if (key.length != 32 || signature.length != 64) {
            return false;
        }
        BigInteger s = number(Arrays.copyOfRange(signature, 32, 64));
        if (s.compareTo(ORDER) >= 0) {
            return false;
        }
        byte[] clear = key.clone();
        clear[31] &= 0x7F;
        BigInteger[] a = point(number(clear), (key[31] & 0x80) != 0);
        if (a == null) {
            return false;
        }
        MessageDigest hash = sha512();
        hash.update(signature, 0, 32);
        hash.update(key);
        hash.update(message);
        BigInteger h = number(hash.digest()).mod(ORDER);
        byte[] r = encoded(sum(s, BASE, h, negated(a)));
        return Arrays.equals(r, Arrays.copyOf(signature, 32));
    }

    private static MessageDigest sha512() {
        try {
            return MessageDigest.getInstance("SHA-512");
        } catch (NoSuchAlgorithmException error) {
            throw new IllegalStateException("every Java runtime has SHA-512", error);
        }
    }

    /** The number of little-endian bytes. */
    static BigInteger number(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int index = 0; index < bytes.length; index++) {
            reversed[index] = bytes[bytes.length - 1 - index];
        }
        return new BigInteger(1, reversed);
    }

    /** The point of a y and the lowest bit of its x; {@code null} if the curve has none. */
    private static BigInteger[] point(BigInteger y, boolean isOdd) {
        if (y.compareTo(P) >= 0) {
            return null;
        }
        BigInteger square = y.multiply(y).mod(P);
        BigInteger above = square.subtract(BigInteger.ONE);
        BigInteger below = D.multiply(square).add(BigInteger.ONE);
        BigInteger wanted = above.multiply(below.modInverse(P)).mod(P);
        BigInteger x = wanted.modPow(P.add(BigInteger.valueOf(3)).shiftRight(3), P);
        if (!x.multiply(x).mod(P).equals(wanted)) {
            x = x.multiply(ROOT_OF_MINUS_ONE).mod(P);
            if (!x.multiply(x).mod(P).equals(wanted)) {
                return null;
            }
        }
        if (x.signum() == 0 && isOdd) {
            return null;
        }
        if (x.testBit(0) != isOdd) {
            x = P.subtract(x);
        }
        return new BigInteger[] {x, y, BigInteger.ONE, x.multiply(y).mod(P)};
    }

    private static BigInteger[] negated(BigInteger[] a) {
        return new BigInteger[] {P.subtract(a[0]).mod(P), a[1], a[2], P.subtract(a[3]).mod(P)};
    }

    /** The sum of two points in extended coordinates (RFC 8032, 5.1.4), complete on this curve. */
    private static BigInteger[] add(BigInteger[] p, BigInteger[] q) {
        BigInteger a = p[1].subtract(p[0]).multiply(q[1].subtract(q[0])).mod(P);
        BigInteger b = p[1].add(p[0]).multiply(q[1].add(q[0])).mod(P);
        BigInteger c = p[3].multiply(TWICE_D).mod(P).multiply(q[3]).mod(P);
        BigInteger d = p[2].shiftLeft(1).multiply(q[2]).mod(P);
        BigInteger e = b.subtract(a);
        BigInteger f = d.subtract(c);
        BigInteger g = d.add(c);
        BigInteger h = b.add(a);
        return new BigInteger[] {e.multiply(f).mod(P), g.multiply(h).mod(P), f.multiply(g).mod(P),
            e.multiply(h).mod(P)};
    }

    /** {@code s} times one point plus {@code h} times another. */
    private static BigInteger[] sum(BigInteger s, BigInteger[] p, BigInteger h, BigInteger[] q) {
        BigInteger[] both = add(p, q);
        BigInteger[] result = ZERO;
        for (int bit = Math.max(s.bitLength(), h.bitLength()) - 1; bit >= 0; bit--) {
            result = add(result, result);
            if (s.testBit(bit)) {
                result = add(result, h.testBit(bit) ? both : p);
            } else if (h.testBit(bit)) {
                result = add(result, q);
            }
        }
        return result;
    }

    private static byte[] encoded(BigInteger[] point) {
        BigInteger inverse = point[2].modInverse(P);
        BigInteger x = point[0].multiply(inverse).mod(P);
        BigInteger y = point[1].multiply(inverse).mod(P);
        byte[] bytes = new byte[32];
        byte[] big = y.toByteArray();
        for (int index = 0; index < big.length && index < 32; index++) {
            bytes[index] = big[big.length - 1 - index];
        }
        if (x.testBit(0)) {
            bytes[31] |= (byte) 0x80;
        }
        return bytes;
    }
}
