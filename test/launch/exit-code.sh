#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The job's exit code is that of the first PE that fails; the others end at once.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 4 true
expect_code 0 "all well"
expect_silence

run "$oshrun" -n 3 sh -c 'exit 7'
expect_code 7 "all fail"
expect_line 'oshrun: PE ? (process *) exited with code 7; job stopped'

begin=$(date +%s)
run "$oshrun" -n 3 sh -c 'if [ "$SKERRY_PE" = 2 ]; then exit 9; else sleep 30; fi'
expect_code 9 "one fails"
expect_line 'oshrun: PE 2 (process *) exited with code 9; job stopped'
[ $(($(date +%s) - begin)) -lt 10 ] || fail "the other PEs were waited for"

# What was written before the end is not lost.
run "$oshrun" -n 2 sh -c 'if [ "$SKERRY_PE" = 1 ]; then echo last words; exit 3; else sleep 30; fi'
expect_code 3 "with output"
expect_out "last words"
finish
