#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout ends the job, says who was still running, and gives exit code 124; also against PEs that
# ignore SIGTERM, and if the supervisor is stopped, once or whenever it runs.
. "$(dirname "$0")/common.sh"

# Starts a job of PEs that ignore SIGTERM, and waits until they run. Sets $job and $supervisor.
begin_stubborn() { # NAME
    name=$1
    # shellcheck disable=SC2016
    "$oshrun" -n 2 --timeout 3 sh -c 'trap "" TERM; : >"$0.$SKERRY_PE"; sleep 60' "$name" >"out.$name" 2>"err.$name" &
    job=$!
    started() { [ -e "$name.0" ] && [ -e "$name.1" ]; }
    wait_until started || fail "$name: did not start"
    supervisor=$(ps -eo pid=,ppid=,comm= | awk -v front="$job" '
        $3 == "job-keeper" && $2 == front { keeper = $1 } { parent[$1] = $2; name[$1] = $3 }
        END { for (process in parent) if (name[process] == "skerry-job" && parent[process] == keeper) print process }')
    [ -n "$supervisor" ] || fail "$name: no supervisor"
}
end_stubborn() { # NAME
    wait "$job"
    code=$?
    cp "err.$1" err
    expect_code 124 "$1"
}

# The keeper kills a supervisor that is stopped again whenever it is continued. That takes 25 s after the limit, during which the
# other cases run.
if command -v python3 >/dev/null; then
    begin_stubborn "supervisor does not run"
    killed_job=$job killed=$supervisor
    python3 -c 'import os, signal, sys, time
try:
    while True:
        os.kill(int(sys.argv[1]), signal.SIGSTOP)
        time.sleep(0.01)
except ProcessLookupError:
    pass' "$killed" &
fi

run "$oshrun" -n 4 --timeout 0.4 sh -c '[ "$SKERRY_PE" = 1 ] || exec sleep 30'
expect_code 124
expect_line 'oshrun: job stopped after 0.4 s (--timeout), PEs 0, 2-3 still running'

begin=$(date +%s)
run "$oshrun" -n 2 --timeout 0.2 sh -c 'trap "" TERM; sleep 30; sleep 30'
expect_code 124 "deaf PEs"
[ $(($(date +%s) - begin)) -lt 10 ] || fail "deaf PEs were waited for"

begin_stubborn "supervisor is stopped" # its keeper continues it
kill -STOP "$supervisor"
end_stubborn "supervisor is stopped"
expect_line 'oshrun: job stopped after 3 s (--timeout), PEs 0-1 still running'

run "$oshrun" -n 2 --timeout 30 true
expect_code 0 "in time"
expect_silence

if [ -n "${killed_job:-}" ]; then
    job=$killed_job
    end_stubborn "supervisor does not run"
    expect_line "oshrun: job stopped after 3 s (--timeout) by killing process $killed of oshrun, which did not end it"
fi
finish
