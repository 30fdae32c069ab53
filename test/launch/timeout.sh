#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout ends the job, says who was still running, and gives exit code 124; also against PEs that ignore SIGTERM.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 4 --timeout 0.4 sh -c '[ "$SKERRY_PE" = 1 ] || exec sleep 30'
expect_code 124
expect_line 'oshrun: job stopped after 0.4 s (--timeout), PEs 0, 2-3 still running'

begin=$(date +%s)
run "$oshrun" -n 2 --timeout 0.2 sh -c 'trap "" TERM; sleep 30; sleep 30'
expect_code 124 "deaf PEs"
[ $(($(date +%s) - begin)) -lt 10 ] || fail "deaf PEs were waited for"

run "$oshrun" -n 2 --timeout 30 true
expect_code 0 "in time"
expect_silence
finish
