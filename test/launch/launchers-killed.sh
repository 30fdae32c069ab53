#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGKILL to any two of oshrun's processes at once, to its process group or to all processes of its name leaves nothing: no
# PE, and nothing that a PE has started, not even in a session of its own and after a double fork.
. "$(dirname "$0")/common.sh"
duration=$(unique_duration 4)
before=$(ls -a /dev/shm 2>/dev/null)
# A name that only this test's processes have.
mkdir apart && cp "$oshrun" "apart/job$$" && cp "$SKERRY_BIN/skerry-where" apart/ 2>/dev/null
oshrun=$work/apart/job$$

children_of() { ps -eo ppid=,pid= | awk -v parent="$1" '$1 == parent { print $2 }'; }

# The launcher's processes from the first on: each is the only child of the one before and runs the same file.
launcher_processes() {
    echo "$1"
    for child in $(children_of "$1"); do
        [ "$(readlink "/proc/$child/exe")" = "$oshrun" ] && launcher_processes "$child"
    done
}

is_gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.*zombie' "/proc/$1/status" 2>/dev/null; }

# Starts a job of two PEs, each with two processes of their own beside it; sets $first and $processes.
start() {
    setsid "$oshrun" -n 2 sh -c "(setsid sleep $duration &); (setsid sh -c '(sleep $duration & exit 0) & exit 0' &)
        exec sleep $duration" >out 2>err &
    first=$!
    wait_until as_many_sleep 6 "$duration" || fail "$1: the job did not start"
    processes=$(launcher_processes "$first")
}

# expect_nothing CASE CODE
expect_nothing() {
    wait "$first" 2>/dev/null
    code=$?
    expect_code "$2" "$1"
    wait_until none_sleeps "$duration" || fail "$1: processes are left: $(sleepers "$duration")"
    for process in $processes; do
        wait_until is_gone "$process" || fail "$1: the launcher's process $process is left"
    done
    [ "$(wc -l <err)" -le 1 ] || fail "$1: more than one line: $(cat err)"
    kill -9 $(sleepers "$duration") 2>/dev/null
}

start count
[ "$(echo "$processes" | wc -l)" -ge 2 ] || fail "cannot find the launcher's processes: $processes"
kill -9 "$first"
expect_nothing "the first" 137

for one in $(seq "$(echo "$processes" | wc -l)"); do
    for other in $(seq "$(echo "$processes" | wc -l)"); do
        [ "$one" -ne "$other" ] || continue
        start "$one and $other"
        # shellcheck disable=SC2046
        kill -9 $(echo "$processes" | sed -n "${one}p") $(echo "$processes" | sed -n "${other}p")
        expect_nothing "processes $one and $other" 137
    done
done

start group
kill -9 "-$first"
expect_nothing "the process group" 137

# A supervisor that is stopped does not keep the job alive.
for one in 1 2; do
    start "stopped and $one"
    kill -STOP "$(echo "$processes" | sed -n 3p)"
    kill -9 "$(echo "$processes" | sed -n "${one}p")"
    expect_nothing "the supervisor is stopped, and process $one killed" 137
done

start name
pkill -9 "job$$"
expect_nothing "all of the name" 137

start "command line"
pkill -9 -f "job$$"
expect_nothing "all with the name in the command line" 137

[ "$(ls -a /dev/shm 2>/dev/null)" = "$before" ] || fail "files are left in /dev/shm"
finish
