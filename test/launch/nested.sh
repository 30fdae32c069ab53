#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job that a PE starts has its own memory, and no way to that of the job around it.
. "$(dirname "$0")/common.sh"
memory='ls -l /proc/self/fd | grep -c "memfd:skerry"'

run "$oshrun" -n 1 sh -c "$memory"
[ "$(cat out)" = 1 ] || skip "no memfd here"
run "$oshrun" -n 1 "$oshrun" -n 2 sh -c "$memory"
expect_code 0
expect_out "1
1"
run "$oshrun" -n 1 "$oshrun" -n 1 "$oshrun" -n 1 sh -c "$memory"
expect_out 1

# The same where the memory is a file without a name.
memory='ls -l /proc/self/fd | grep -cE "/(#[0-9]+|memfd:skerry) [(]deleted[)]$"'
export SKERRY_NO_MEMFD=1
run "$oshrun" -n 1 sh -c "$memory; ls -l /proc/self/fd | grep -c memfd:"
expect_out "1
0"
run "$oshrun" -n 1 "$oshrun" -n 2 sh -c "$memory"
expect_code 0 "file"
expect_out "1
1"
run "$oshrun" -n 1 env -u SKERRY_NO_MEMFD "$oshrun" -n 1 sh -c "$memory; ls -l /proc/self/fd | grep -c memfd:"
expect_out "1
1"
unset SKERRY_NO_MEMFD

# A number that is somebody else's stays open.
SKERRY_JOB=fd=5 run "$oshrun" -n 1 sh -c 'cat <&5' 5<"$here/nested.sh"
[ "$(head -1 out)" = '#!/bin/sh' ] || fail "descriptor 5 was closed"
finish
