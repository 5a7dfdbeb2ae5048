#!/bin/sh
# Checks that every system call with a path is made in CFiles: Beneath.c makes those below an open
# directory and follows no link out of it; Files.c makes those with a path that a user gave.
#
#   Scripts/check-calls.sh              checks Sources
#   Scripts/check-calls.sh --self-test  tests the check itself, on code that it must and must not refuse
set -eu
cd "$(dirname "$0")/.."
calls='openat2?|mkdirat|linkat|renameat2?|renameatx_np|fstatat|unlinkat|readlinkat|symlinkat|faccessat2?'
calls="$calls|fchmodat|fchownat|utimensat|futimesat|mknodat|mkfifoat|open|open64|creat|mkdir|rmdir|rename"
calls="$calls|unlink|link|symlink|readlink|stat|lstat|stat64|access|eaccess|chmod|chown|lchown|truncate"
calls="$calls|realpath|opendir|fopen|freopen|remove|mkstemp|mkdtemp|mkfifo|mknod|statvfs|statfs|chdir|nftw"
calls="$calls|ftw|fts_open|glob|utimes|getxattr|setxattr|execv|execve|syscall"

# Prints the lines of standard input ("file:line:text") that call one of them. A call after `try` is not a
# C function, `stat()` makes an empty struct, and strings and comments call nothing.
forbidden() {
    sed -E -e '/^[^:]*:[0-9]*: *\/\//d' -e '/func /d' \
        -e 's/"([^"\\]|\\.)*"/""/g' -e "s/try[?]?( await)? ($calls)\(/(/g" -e 's/(stat|statvfs)\(\)//g' \
        | grep -E "(^|[^.[:alnum:]_]|Glibc\.|Darwin\.)($calls)\(" || true
}

# Prints the lines that look for the Character "/", which a slash with a combining mark after it is not: paths
# are taken apart by bytes (Ground/Reporting/SlashedText.swift).
characters() {
    grep -E '(split\(separator|(first|last)Index\( ?of): "/"' | grep -vE '^[^:]*:[0-9]*: *//' || true
}

if [ "${1:-}" = --self-test ]; then
    failed=0
    while IFS= read -r line; do
        [ -n "$(echo "x.swift:1:$line" | forbidden)" ] || { echo "not refused: $line"; failed=1; }
    done <<'END'
        if unsafe mkdirat(descriptor, name, 0o755) == 0 { return true }
        guard unsafe renameat(descriptor, name, target.descriptor, newName) == 0 else {
        let number = Int32(retryingOnInterrupt { unsafe Int(openat(fd, name, flags)) })
        _ = try unsafe open(path, O_RDONLY)
        if try unsafe fstatat(descriptor, name, &raw, 0) == 0 {
        unlinkat(
        _ = Glibc.unlink(path)
        let kind = (stat(path, &raw) == 0)
        if let resolved = unsafe realpath(existing, nil) {
        for path in made.reversed() { unsafe rmdir(path) }
END
    while IFS= read -r line; do
        [ -z "$(echo "x.swift:1:$line" | forbidden)" ] || { echo "refused: $line"; failed=1; }
    done <<'END'
        try staging.rename(name, to: directory, as: Self.current)
        var raw = stat()
        return try open(path)
        if (try? open(prefix)) == nil {
        // mkdir(2) would follow it
        try? await remove([upload.place])
        package func link(
        "window.open(x)"
        guard unsafe fstat(number, &raw) == 0 else { throw failure("inspect") }
END
    while IFS= read -r line; do
        [ -n "$(echo "x.swift:1:$line" | characters)" ] || { echo "not refused: $line"; failed=1; }
    done <<'END'
        for component in name.split(separator: "/") {
        guard let slash = path.lastIndex(of: "/") else { return }
        let end = text.firstIndex( of: "/" )
END
    while IFS= read -r line; do
        [ -z "$(echo "x.swift:1:$line" | characters)" ] || { echo "refused: $line"; failed=1; }
    done <<'END'
        bytes.split(separator: UInt8(ascii: "/"))
        for component in name.pathComponents() {
        // split(separator: "/") would miss it
END
    [ "$failed" = 0 ] && echo 'calls: the self-test passes'
    exit "$failed"
fi

found=$(grep -rnE "($calls)\(" Sources/PackCore Sources/PackTool --include='*.swift' \
    | grep -vE '^Sources/PackCore/(Web/JavaScript|Check/Engine)/|^Sources/PackTool/Run/ThisProcess.swift:[0-9]+:.*open\("/dev/null"' \
    | forbidden)
more=$(grep -rnE "(^|[^[:alnum:]_])($calls)\(" Sources/CArchive --include='*.[ch]' \
    | grep -vE '^Sources/CArchive/files/(Beneath.c|Files.c:[0-9]+:.*\((path|path, status|path, 0755|path, NULL|path, flags \| O_CLOEXEC)\))' \
    | grep -vE ':[0-9]+:/' || true)
if [ -n "$found$more" ]; then
    echo 'error: a system call with a path is made outside CArchive/files/Beneath.c' >&2
    printf '%s\n%s\n' "$found" "$more" | sed '/^$/d; s/^/  /' >&2
    exit 1
fi
found=$(grep -rnF '"/"' Sources/PackCore Sources/PackTool --include='*.swift' | characters)
if [ -n "$found" ]; then
    echo 'error: a path is taken apart by Characters; use pathComponents(), firstSlash or lastSlash' >&2
    printf '%s\n' "$found" | sed 's/^/  /' >&2
    exit 1
fi
echo 'calls: no system call with a path outside CArchive, no path taken apart by Characters'
