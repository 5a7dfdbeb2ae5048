#!/bin/sh
# Prints the list of the rules' pages that CRulePages.c embeds: one #embed a page, each with a NUL behind it.
set -eu
cd "$(dirname "$0")/.."
export LC_ALL=C
echo '// Written by "make rules-doc"; do not edit.'
for page in Sources/PackCore/Check/Rules/Pages/*.md; do
    echo "#embed \"../../PackCore/Check/Rules/Pages/${page##*/}\" suffix(, 0,)"
done
