#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skerry bench that is interrupted prints what it has measured, says so, and ends with 130.
. "$(dirname "$0")/common.sh"
# A loaded machine may need longer for the first pair: then once more, with time for it.
for times in "2 0.02" "5 0.02" "25 0.2" "120 2"; do # until it is interrupted; of a measurement
    code=0
    timeout --preserve-status -s INT "${times% *}" "$SKERRY_BIN/skerry" bench --no-limits --repeat 1000 --seconds "${times#* }" p >out 2>err || code=$?
    [ "$code" -eq 130 ] || fail "exit code $code: $(cat err)"
    if grep -q '^p ' out; then break; fi
done
grep -q '^p ' out || fail "what was measured is lost: $(cat out err)"
grep -q 'interrupted: the report has only the measurements that were complete before the interruption' err || fail "no line: $(cat err)"
finish
