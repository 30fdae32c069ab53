#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PE 0 gets the standard input, wherever it runs, and the nodes get the environment and the current folder.
. "$(dirname "$0")/common.sh"
build_with_library program

seq 200000 >numbers
timeout 60 "$oshrun" --hosts n2:1,n1:1 ./program input <numbers >out 2>err
code=$?
expect_code 0
expect_out "200000 lines of input"
run "$oshrun" --hosts n2:1,n1:1 ./program input </dev/null
expect_out "0 lines of input"
# Input that nobody reads, and that never ends, does not keep the job.
(while sleep 0.1; do echo line; done) | timeout 60 "$oshrun" --hosts n2:1,n1:1 ./program >out 2>err
[ "$(sort out)" = "0 of 2 on n2
1 of 2 on n1" ] || fail "unread input: $(cat out err)"

export OF_THE_USER="two words"
run "$oshrun" --hosts n1:1,n2:1 ./program variable OF_THE_USER
expect_out "two words"
run "$oshrun" --hosts n1:1,n2:1 -x "OTHER=a=b c" ./program variable OTHER
expect_out "a=b c"
finish
