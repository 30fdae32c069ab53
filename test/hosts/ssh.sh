#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The usual way: nodes are started by ssh. Skipped if this machine has no ssh server.
. "$(dirname "$0")/common.sh"
build_with_library program
build_with_library failing
start_ssh_servers 3

run "$oshrun" --hosts n1:2,n3:1 ./program
expect_code 0
expect_silence
[ "$(sort out)" = "0 of 3 on n1
1 of 3 on n1
2 of 3 on n3" ] || fail "places: $(sort out)"
run "$oshrun" --hosts n1:2,n2:2,n3:1 ./failing crash 3
expect_code 139
expect_line 'oshrun on n2: PE 3 (process *) was killed by signal 11*'

started() { grep -q waits out; }
: >out
"$oshrun" --hosts n1:2,n3:1 ./program wait 1000 >out 2>err &
job=$!
wait_until started || fail "did not start: $(cat err)"
sh "$lab" cut n3
wait "$job"
code=$?
expect_code 1
expect_line 'oshrun: node n3 (PE 2) does not answer: no sign of life for 7 s; job stopped'
sh "$lab" heal n3

rm authorized
run "$oshrun" --hosts n1:1,n2:1 ./program
expect_code 1
expect_line 'oshrun: node n[12]: skerry-node did not start (ssh): *Permission denied*'
finish
