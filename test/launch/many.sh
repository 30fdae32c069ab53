#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1024 PEs start and end, with output from each; one of them failing ends them all.
. "$(dirname "$0")/common.sh"

run "$oshrun" -n 1024 true
expect_code 0 "true"
expect_silence

run "$oshrun" -n 1024 sh -c 'echo $SKERRY_PE'
expect_code 0 "output"
[ "$(sort -n out | uniq | wc -l)" -eq 1024 ] || fail "$(wc -l <out) lines"

duration=$(unique_duration 4)
run "$oshrun" -n 1024 sh -c "[ \$SKERRY_PE = 1000 ] && exit 5; exec sleep $duration"
expect_code 5 "one of many fails"
expect_line 'oshrun: PE 1000 (process *) exited with code 5; job stopped'
none_sleeps "$duration" || fail "processes are left"
finish
