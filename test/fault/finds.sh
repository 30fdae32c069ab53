#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# kills.py complains of a launcher that makes a mistake: finds.sh KILLS OSHRUN VICTIM. The launchers here are oshrun with a
# shell's lines before it or around it.
set -u
kills=$1 real=$2 victim=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export real
failures=0
# The first job of kills.py, for 0.01 s, is not looked at.
well='case $* in *" 0.01") exec "$real" "$@" ;; esac'

# The first round of this seed kills no front: that is a shell here, which nobody watches.
# finds COMPLAINT LINES [OPTION]: that complaint comes of a launcher that does these lines.
finds() {
    printf '#!/bin/sh\n%s\n%s\n' "$well" "$2" >"$work/oshrun"
    chmod +x "$work/oshrun"
    # shellcheck disable=SC2086
    "$kills" --bin "$work" --victim "$victim" --seed 164 --rounds 20 --failures 1 --limit 10 ${3:-} >"$work/out" 2>&1
    code=$?
    if [ $code -eq 0 ] || ! grep -q "$1" "$work/out"; then
        echo "finds.sh: exit code $code and no \"$1\" of: $2"
        cat "$work/out"
        failures=$((failures + 1))
    fi
}

finds "processes are left: .*sleep" '(setsid sleep 100 >/dev/null 2>&1 &); exec "$real" "$@"'
finds "files are left: \['left'\]" 'touch left; exec "$real" "$@"'
finds "exit code 0 " '"$real" "$@"; exit 0'
finds "exit code [-0-9]* and \[\]" 'exec "$real" "$@" 2>/dev/null'
finds "more on standard error" 'echo oops >&2; exec "$real" "$@"'
# Front, keeper and supervisor of which none notices that another is killed.
finds "processes are left: .*sleep" 'sh -c "sh -c \"sleep 100 & sleep 100; :\"; :"; :' --pairs
finds "does not end within 10" 'exec sleep 100'
[ "$failures" -eq 0 ]
