#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SIGKILL to either of oshrun's two processes leaves nothing: no PE, nothing that a PE has started, however it hid.
. "$(dirname "$0")/common.sh"
duration=$(unique_duration 2)
before=$(ls -a /dev/shm 2>/dev/null)

supervisor_of() {
    for file in /proc/[0-9]*/stat; do
        stat=$(cat "$file" 2>/dev/null) || continue
        rest=${stat##*) }
        # shellcheck disable=SC2086
        set -- $rest
        [ "$2" = "$launcher" ] && echo "${stat%% *}"
    done
}

for victim in launcher supervisor; do
    "$oshrun" -n 3 sh -c "sleep $duration & (setsid sleep $duration &); wait" >out 2>err &
    launcher=$!
    wait_until as_many_sleep 6 "$duration" || fail "$victim: the job did not start"
    supervisor=$(supervisor_of)
    if [ $victim = launcher ]; then kill -9 $launcher; else kill -9 "$supervisor"; fi
    wait $launcher 2>/dev/null
    code=$?
    expect_code 137 "$victim killed"
    wait_until none_sleeps "$duration" || fail "$victim: processes are left: $(sleepers "$duration")"
    wait_until test ! -e "/proc/$supervisor" || grep -q '^State:.*zombie' "/proc/$supervisor/status" || fail "$victim: the supervisor is left"
    expect_line "oshrun: *was killed*; job stopped"
done
[ "$(ls -a /dev/shm 2>/dev/null)" = "$before" ] || fail "files are left in /dev/shm"
finish
