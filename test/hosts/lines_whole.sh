#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines of PEs on several nodes arrive whole, and all of them, also if the reader is slow.
. "$(dirname "$0")/common.sh"
build_with_library program

count_good() { grep -cE '^<[0-5]: line [0-9]+ of 20000, with a text that is long enough to be cut>$' "$1"; }
run "$oshrun" --hosts n1:2,n2:2,n3:2 ./program lines 20000
expect_code 0
[ "$(count_good out) $(wc -l <out)" = "120000 120000" ] || fail "good lines: $(count_good out) of $(wc -l <out)"
timeout 100 "$oshrun" --hosts n1:2,n2:2,n3:2 ./program lines 20000 2>err | (sleep 3; cat) >out
[ "$(count_good out) $(wc -l <out)" = "120000 120000" ] || fail "slow reader: $(count_good out) of $(wc -l <out): $(cat err)"
# A reader that goes away ends the job.
timeout 60 "$oshrun" --hosts n1:2,n2:2 ./program lines 20000 2>err | head -1 >out
expect_silence
expect_nothing_left
finish
