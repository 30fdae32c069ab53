#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PE 0 has the standard input; the others find nothing there.
. "$(dirname "$0")/common.sh"

printf 'one\ntwo\n' | timeout 60 "$oshrun" -n 3 sh -c 'echo "$SKERRY_PE $(wc -l)"' | sort >out
expect_out "0 2
1 0
2 0"

run "$oshrun" -n 2 cat <&-
expect_code 0 "closed input"
expect_out ""

# All three are closed, as some daemons start programs. Lost output gives exit code 1.
timeout 60 "$oshrun" -n 2 sh -c 'cat; echo text; echo text >&2' <&- >&- 2>&-
code=$?
: >err
expect_code 1 "everything closed"
timeout 60 "$oshrun" -n 2 true <&- >&- 2>&-
code=$?
: >err
expect_code 0 "everything closed, no output"
finish
