package packtool.client;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;

/** Public keys of the two algorithms, and signatures by them. */
final class PublicKeys {
    static final String ED25519 = "ed25519";
    static final String P256 = "ecdsa-p256-sha256";

    private static final byte[] ED25519_PREFIX = bytes("302a300506032b6570032100");
    private static final byte[] P256_PREFIX =
        bytes("3059301306072a8648ce3d020106082a8648ce3d03010703420004");
    private static final BigInteger ED25519_FIELD =
        BigInteger.ONE.shiftLeft(255).subtract(BigInteger.valueOf(19));
    /** The y of points of small order, besides 0, 1 and -1: anyone could sign for such a key. */
    private static final BigInteger[] SMALL_ORDER = {
        BigInteger.ZERO, BigInteger.ONE, ED25519_FIELD.subtract(BigInteger.ONE),
        Ed25519.number(bytes("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")),
        Ed25519.number(bytes("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a")),
    };
    private static final BigInteger P256_FIELD = new BigInteger(
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16);
    private static final BigInteger P256_B = new BigInteger(
        "5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b", 16);

    private PublicKeys() {}

    private static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) Integer.parseInt(hex.substring(2 * index, 2 * index + 2), 16);
        }
        return bytes;
    }

    /** Why some bytes are no key of an algorithm; {@code null} if they are, or it is unknown. */
    static String problem(String algorithm, byte[] key) {
        if (algorithm.equals(ED25519)) {
            if (!hasPrefix(key, ED25519_PREFIX, 44)) {
                return "is not the SubjectPublicKeyInfo of an Ed25519 key";
            }
            byte[] clear = Arrays.copyOfRange(key, 12, 44);
            clear[31] &= 0x7F;
            BigInteger y = Ed25519.number(clear);
            if (y.compareTo(ED25519_FIELD) >= 0) {
                return "is not a canonical Ed25519 key";
            }
            return Arrays.asList(SMALL_ORDER).contains(y) ? "is a point of small order" : null;
        }
        if (algorithm.equals(P256)) {
            if (!hasPrefix(key, P256_PREFIX, 91)) {
                return "is not the SubjectPublicKeyInfo of a P-256 key";
            }
            BigInteger x = new BigInteger(1, Arrays.copyOfRange(key, 27, 59));
            BigInteger y = new BigInteger(1, Arrays.copyOfRange(key, 59, 91));
            BigInteger right = x.pow(3).subtract(x.multiply(BigInteger.valueOf(3))).add(P256_B);
            boolean isOnCurve = x.compareTo(P256_FIELD) < 0 && y.compareTo(P256_FIELD) < 0
                && y.multiply(y).subtract(right).mod(P256_FIELD).signum() == 0;
            return isOnCurve ? null : "is not a point of the curve P-256";
        }
        return null;
    }

    private static boolean hasPrefix(byte[] key, byte[] prefix, int length) {
        return key.length == length
            && Arrays.equals(Arrays.copyOf(key, prefix.length), prefix);
    }

    /** Whether a signature is that of a message by a key; never by an unknown algorithm. */
    static boolean verifies(String algorithm, byte[] key, byte[] message, byte[] signature) {
        if (signature.length != 64) {
            return false;
        }
        if (algorithm.equals(ED25519)) {
            return Ed25519.verifies(Arrays.copyOfRange(key, 12, 44), message, signature);
        }
        if (!algorithm.equals(P256)) {
            return false;
        }
        try {
            PublicKey point = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(key));
            Signature verifier = Signature.getInstance("SHA256withECDSA");
            verifier.initVerify(point);
            verifier.update(message);
            return verifier.verify(asDER(signature));
        } catch (GeneralSecurityException error) {
            return false;
        }
    }

    /** A sequence of two integers: Android has no verifier of r and s alone. */
    private static byte[] asDER(byte[] signature) {
        byte[] r = new BigInteger(1, Arrays.copyOf(signature, 32)).toByteArray();
        byte[] s = new BigInteger(1, Arrays.copyOfRange(signature, 32, 64)).toByteArray();
        byte[] der = new byte[6 + r.length + s.length];
        der[0] = 0x30;
        der[1] = (byte) (der.length - 2);
        der[2] = 2;
        der[3] = (byte) r.length;
        System.arraycopy(r, 0, der, 4, r.length);
        der[4 + r.length] = 2;
        der[5 + r.length] = (byte) s.length;
        System.arraycopy(s, 0, der, 6 + r.length, s.length);
        return der;
    }
}
