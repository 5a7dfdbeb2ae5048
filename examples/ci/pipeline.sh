#!/bin/sh
# A pipeline for the example shop, for any CI that runs shell commands.
#   pipeline.sh check              the checks of a pull request
#   pipeline.sh publish LABEL      on a tag: the same, then publish and verify
# Variables: ORIGIN (s3://BUCKET/PREFIX, or a directory that outlasts the job), NEW_ORIGIN ('true' for the first
# publish of all), PACKTOOL (the program), COMMIT, BUILD, CONFIG, MANIFEST, AGAINST (the release that is deployed,
# such as the base URL), REPORTS (directory of findings and report).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${PACKTOOL:=packtool}" "${BUILD:=$here/../storefront/dist/1.1.0}" "${CONFIG:=$here/../storefront/packtool.yaml}"
: "${MANIFEST:=$here/info.json}" "${AGAINST:=$here/../storefront/dist/1.0.0}" "${REPORTS:=.}" "${COMMIT:=}" "${NEW_ORIGIN:=false}"

# Every report is written, whatever was found, and the job fails at the end.
check() {
    failed=0
    "$PACKTOOL" report "$AGAINST" "$BUILD" --allow-missing --config "$CONFIG" --output "$REPORTS/packtool-report.html" \
        --findings text --findings sarif="$REPORTS/packtool.sarif" \
        --findings junit="$REPORTS/packtool-junit.xml" || failed=$?
    "$PACKTOOL" verify "$MANIFEST" --build "$BUILD" || failed=$?
    return "$failed"
}

case "${1-}" in
check) check ;;
publish)
    label=${2:?publish needs a label, such as 1.1.0}
    check
    # A directory that is new in each job is not the origin that devices know.
    existing=--require-origin
    if [ "$NEW_ORIGIN" = true ]; then existing=""; fi
    "$PACKTOOL" publish "$BUILD" --config "$CONFIG" --to "${ORIGIN:?set ORIGIN to the origin that devices know}" \
        ${existing:+"$existing"} --label "$label" ${COMMIT:+--commit "$COMMIT"}
    "$PACKTOOL" verify "$ORIGIN" --config "$CONFIG"
    ;;
*)
    echo "usage: pipeline.sh check | publish LABEL" >&2
    exit 64
    ;;
esac
