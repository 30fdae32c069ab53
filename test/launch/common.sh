# SPDX-License-Identifier: BSD-3-Clause
# Read by every test here: a folder that goes away, running oshrun, and saying what was expected. A test ends with exit
# code 0, 1 when something was not as it should be, 77 when this machine cannot run it.
# SKERRY_BIN is the folder of oshrun and oshcc.
set -u
: "${SKERRY_BIN:?must name the folder of oshrun}"
SKERRY_BIN=$(cd "$SKERRY_BIN" && pwd) || exit 1
oshrun=$SKERRY_BIN/oshrun
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "$(basename "$0"): $*"
    failures=$((failures + 1))
}

skip() {
    echo "skipped: $*"
    exit 77
}

# Builds a C program of this folder, or of the current one, as ./NAME.
build() {
    source=$here/$1.c
    [ -f "$source" ] || source=$1.c
    # shellcheck disable=SC2086
    "${CC:-cc}" ${2:--O1 -g} "$source" -o "$1" || exit 1
}

# Runs a command of at most a minute; leaves $code and the files out and err.
run() {
    timeout -k 5 60 "$@" >out 2>err
    code=$?
}

expect_code() {
    [ "$code" -eq "$1" ] || fail "exit code $code instead of $1: ${2:-}: $(head -c 300 err)"
}

expect_out() {
    [ "$(cat out)" = "$1" ] || fail "output \"$(head -c 300 out)\" instead of \"$1\""
}

# Standard error is one line that matches a pattern of case.
expect_line() {
    [ "$(wc -l <err)" -eq 1 ] || fail "expected one line, got: $(head -c 300 err)"
    # shellcheck disable=SC2254
    case $(cat err) in
    $1) ;;
    *) fail "expected $1, got: $(head -c 300 err)" ;;
    esac
}

# Standard error is one line or more, and each line matches a pattern of case. For errors that several PEs make: a PE may
# print its line before the launcher ends it.
expect_each_line() {
    [ -s err ] || fail "expected $1, got nothing"
    while read -r line; do
        # shellcheck disable=SC2254
        case $line in
        $1) ;;
        *) fail "expected $1, got: $line" ;;
        esac
    done <err
}

expect_silence() {
    [ ! -s err ] || fail "unexpected: $(head -c 300 err)"
}

# together NAME...: runs the functions check_NAME at the same time, each in a folder of its own with a pipe. Counts those
# that fail.
together() {
    checks=
    for name; do
        (
            mkdir "$name" && cd "$name" && mkfifo pipe || exit 1
            place=output failures=0
            "check_$name"
            [ $failures -eq 0 ]
        ) &
        checks="$checks $!"
    done
    for check in $checks; do wait "$check" || failures=$((failures + 1)); done
}

# Waits at most ten seconds until a command succeeds.
wait_until() {
    tries=200
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

# Process ids of all "sleep $1".
sleepers() { ps -eo pid=,args= | awk -v duration="$1" '$2 == "sleep" && $3 == duration && NF == 3 { print $1 }'; }

count_sleepers() { sleepers "$1" | wc -l; }
none_sleeps() { [ "$(count_sleepers "$1")" -eq 0 ]; }
as_many_sleep() { [ "$(count_sleepers "$2")" -eq "$1" ]; }

# A duration that no other test uses, to recognise processes by.
unique_duration() { echo "$((100000 + $$)).$1"; }

finish() {
    [ "$failures" -eq 0 ] || exit 1
    exit 0
}
