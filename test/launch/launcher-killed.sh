#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGKILL to any one of oshrun's three processes leaves nothing: no PE, nothing that a PE has started, however it hid. One
# line says what was killed.
. "$(dirname "$0")/common.sh"
duration=$(unique_duration 2)
before=$(ls -a /dev/shm 2>/dev/null)

child_of() { ps -eo ppid=,pid= | awk -v parent="$1" '$1 == parent { print $2 }' | head -1; }
is_gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.*zombie' "/proc/$1/status" 2>/dev/null; }

for victim in launcher keeper supervisor; do
    "$oshrun" -n 3 sh -c "sleep $duration & (setsid sleep $duration &); wait" >out 2>err &
    launcher=$!
    wait_until as_many_sleep 6 "$duration" || fail "$victim: the job did not start"
    keeper=$(child_of "$launcher")
    supervisor=$(child_of "$keeper")
    eval "process=\$$victim"
    kill -9 "$process"
    wait $launcher 2>/dev/null
    code=$?
    expect_code 137 "$victim killed"
    wait_until none_sleeps "$duration" || fail "$victim: processes are left: $(sleepers "$duration")"
    for process in $keeper $supervisor; do
        wait_until is_gone "$process" || fail "$victim: the launcher's process $process is left"
    done
    case $victim in
    launcher) expect_line "oshrun: the launcher was killed; job stopped" ;;
    keeper) expect_line "oshrun: process $keeper of oshrun was killed by signal 9; job stopped" ;;
    supervisor) expect_line "oshrun: process $supervisor of oshrun was killed by signal 9; job stopped" ;;
    esac
done
[ "$(ls -a /dev/shm 2>/dev/null)" = "$before" ] || fail "files are left in /dev/shm"
finish
