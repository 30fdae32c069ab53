#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout ends the job, says who was still running, and gives exit code 124; also against PEs that
# ignore SIGTERM, and if the supervisor is stopped.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 4 --timeout 0.4 sh -c '[ "$SKERRY_PE" = 1 ] || exec sleep 30'
expect_code 124
expect_line 'oshrun: job stopped after 0.4 s (--timeout), PEs 0, 2-3 still running'

begin=$(date +%s)
run "$oshrun" -n 2 --timeout 0.2 sh -c 'trap "" TERM; sleep 30; sleep 30'
expect_code 124 "deaf PEs"
[ $(($(date +%s) - begin)) -lt 10 ] || fail "deaf PEs were waited for"

# A stopped supervisor: its keeper continues it.
"$oshrun" -n 2 --timeout 1 sh -c 'trap "" TERM; sleep 60' >out 2>err &
job=$!
supervisor() { ps -eo pid=,ppid=,comm= | awk -v front="$job" '$3 == "job-keeper" && $2 == front { keeper = $1 } $3 == "skerry-job" && $2 == keeper { print $1 }' | grep .; }
wait_until supervisor >/dev/null || fail "no supervisor"
kill -STOP "$(supervisor)"
wait "$job"
code=$?
expect_code 124 "stopped supervisor"
expect_line 'oshrun: job stopped after 1 s (--timeout), PEs 0-1 still running'

run "$oshrun" -n 2 --timeout 30 true
expect_code 0 "in time"
expect_silence
finish
