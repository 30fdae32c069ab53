#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --stats prints a row for each PE and one for the job, after all output, with figures that can be true.
. "$(dirname "$0")/common.sh"
build pe

run "$oshrun" -n 2 --stats ./pe init @1 peak=3145728 sleep=0.3 finalize
expect_code 0
[ "$(wc -l <err)" -eq 4 ] || fail "rows: $(cat err)"
awk 'NR == 1 { next }
     $1 == "1" && $6 != "3.0" { print "heap of PE 1: " $6; bad = 1 }
     $2 < 0.3 || $2 > 30      { print "wall time: " $0; bad = 1 }
     $5 <= 0                  { print "memory: " $0; bad = 1 }
     END { exit bad }' err || fail "$(cat err)"
grep -q '^ *job ' err || fail "no row for the job"

run "$oshrun" -n 1 --stats sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'
awk '$1 == "0" && $3 <= 0 { exit 1 }' err || fail "no user time: $(cat err)"
finish
