package packtool.client;

/** A file of the origin as a pointer or manifest names it. */
final class FileReference {
    final String url;
    final String sha256;
    final long size;

    FileReference(String url, String sha256, long size) {
        this.url = url;
        this.sha256 = sha256;
        this.size = size;
    }

    static FileReference read(Members members) throws PackError {
        return new FileReference(
            members.string("url"), members.digest("sha256"), members.integer("size", 0));
    }
}
