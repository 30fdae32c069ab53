#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# expect.sh CODE PATTERN COMMAND...: passes when COMMAND ends with exit code CODE ("failure": any but 0, and no time-out)
# and a line of its standard error matches the extended regular expression PATTERN (empty: anything).
set -u
code=$1
pattern=$2
shift 2
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
"$@" 2>"$errors"
got=$?
cat "$errors" >&2
case $code in
failure)
    if [ "$got" -eq 0 ] || [ "$got" -eq 124 ]; then
        echo "expect.sh: exit code $got where a failure was expected" >&2
        exit 1
    fi
    ;;
*)
    if [ "$got" -ne "$code" ]; then
        echo "expect.sh: exit code $got where $code was expected" >&2
        exit 1
    fi
    ;;
esac
if [ -n "$pattern" ] && ! grep -Eq -e "$pattern" "$errors"; then
    echo "expect.sh: no line of standard error matches $pattern" >&2
    exit 1
fi
