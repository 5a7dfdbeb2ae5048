#!/bin/bash
# Step 'Get packtool' of action.yml: puts the program on the path of the job.
# Variables: those of the runner, and PROGRAM, URL, SHA256, FROM_SOURCE, ACTION_REPOSITORY of action.yml.
# GitHub's context 'action_path' is wrong in a job with a container; GITHUB_ACTION_PATH is right there.
set -euo pipefail
action=$GITHUB_ACTION_PATH
pinned=$action/packaging/binaries.txt

# fail MESSAGE HELP [EXIT-CODE]
fail() {
    echo "::error::${1//%/%25}%0Ahelp: ${2//%/%25}"
    exit "${3:-2}"
}

# use PROGRAM
use() {
    "$1" --version || fail "'$1' does not run on this runner ($RUNNER_OS $RUNNER_ARCH)" \
        "use a program for this platform"
    mkdir -p "$RUNNER_TEMP/packtool-bin"
    ln -sf "$1" "$RUNNER_TEMP/packtool-bin/packtool"
    echo "$RUNNER_TEMP/packtool-bin" >>"$GITHUB_PATH"
}

hash_of() {
    if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

# The repository of this action, from its directory on the runner: _actions/OWNER/NAME/REF. In an action used by
# another action, 'github.action_repository' names the outer one. It is empty for a checkout in the workspace.
release_url() {
    local repository=$ACTION_REPOSITORY url
    case $action in */_actions/*/*/*) repository=$(cut -d / -f 1,2 <<<"${action##*/_actions/}") ;; esac
    if [ -n "$repository" ]; then
        url=https://github.com/$repository
    else
        url=$(git config --file "$action/.git/config" remote.origin.url 2>/dev/null | sed 's|^git@\([^:]*\):|https://\1/|')
    fi
    [ -n "$url" ] || return 1
    echo "${url%.git}/releases/download"
}

if [ -n "$PROGRAM" ]; then
    [ -x "$PROGRAM" ] || fail "input 'packtool': there is no program '$PROGRAM'" \
        "write a path from the workspace, or an absolute one" 64
    use "$(readlink -f "$PROGRAM")"
    exit
fi
if [ -n "$URL$SHA256" ]; then
    if [ -z "$URL" ] || [ -z "$SHA256" ]; then
        fail "only one of the inputs 'packtool-url' and 'packtool-sha256' is set" \
            "set both: the address of a packtool tarball, and its SHA-256" 64
    fi
    name=${URL##*/}
elif [ "$FROM_SOURCE" = true ]; then
    make --directory "$action" release
    use "$action/.build/release/packtool"
    exit
else
    [ -f "$pinned" ] || fail "this version of the action is not a release: it has no packaging/binaries.txt" \
        "use the tag of a release, set 'packtool' to a program on the runner, or set 'build-from-source: true'" 64
    case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) platform=linux-x86_64 ;;
    Linux-ARM64) platform=linux-aarch64 ;;
    macOS-*) platform=macos-universal ;;
    *) platform=none ;;
    esac
    read -r SHA256 name < <(grep -- "-$platform\.tar\.gz\$" "$pinned") \
        || fail "this release has no program for the runner's platform, $RUNNER_OS $RUNNER_ARCH" \
            "use a runner with Linux (X64, ARM64) or macOS, or set 'build-from-source: true'" 64
    version=${name#packtool-}
    URL=$(release_url)/v${version%"-$platform.tar.gz"}/$name \
        || fail "the repository of this action is unknown: '$action' is not a clone of it" \
            "set 'packtool-url' to the address of $name, and 'packtool-sha256' to $SHA256" 64
fi
SHA256=$(tr 'A-F' 'a-f' <<<"$SHA256")

# On a self-hosted runner, the tool cache outlasts the job. It keeps the tarball instead of the unpacked program, so
# each job can verify the checksum.
file=$RUNNER_TEMP/packtool.tar.gz
cached=${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/packtool/$SHA256.tar.gz
if [ -f "$cached" ] && cp "$cached" "$file" && [ "$(hash_of "$file")" = "$SHA256" ]; then
    echo "packtool: $name, from the cache of the runner"
else
    curl --fail --silent --show-error --location --retry 3 --retry-delay 1 --retry-all-errors --connect-timeout 20 \
        --speed-limit 1000 --speed-time 60 --output "$file" "$URL" \
        || fail "packtool could not be downloaded from $URL (exit code $? of curl, see above)" \
            "check the address and the runner's network, or set 'packtool-url' to a mirror"
    found=$(hash_of "$file")
    [ "$found" = "$SHA256" ] || fail "the SHA-256 of $URL is $found, and not $SHA256" \
        "do not use this file; compare the checksum with that of the release, and run the job again"
    # Other jobs may write the same file.
    mkdir -p "${cached%/*}" && cp "$file" "$cached.$$" && mv -f "$cached.$$" "$cached" \
        || echo "note: $name was not kept in ${cached%/*}"
    echo "packtool: $name, downloaded from $URL"
fi

rm -rf "$RUNNER_TEMP/packtool"
mkdir "$RUNNER_TEMP/packtool"
program=$RUNNER_TEMP/packtool/bin/packtool
if ! tar -xzf "$file" -C "$RUNNER_TEMP/packtool" --strip-components 1 || [ ! -x "$program" ]; then
    fail "$name contains no bin/packtool" "use a tarball of a packtool release"
fi
use "$program"
