#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Lines of different PEs never mix and none is lost, whether the reader is fast, slow, or a file.
. "$(dirname "$0")/common.sh"
build writer

check() {
    awk -v pes=16 -v lines=300 '
        NF != 4 || length($4) != $3 { print "broken line " NR ": " substr($0, 1, 60); bad = 1; exit 1 }
        $2 < next_of[$1, $2 % 2]    { print "order of PE " $1; bad = 1; exit 1 }
        { next_of[$1, $2 % 2] = $2; seen++ }
        END { if (!bad && seen != pes * lines) { print seen " lines"; exit 1 } }' "$1" || fail "$2"
}

run "$oshrun" -n 16 ./writer 300
cat out err >all
check all "into files"

timeout 60 "$oshrun" -n 16 ./writer 300 2>&1 | cat >all
check all "through one pipe"

timeout 60 "$oshrun" -n 16 ./writer 300 2>&1 | (sleep 1; cat) >all
check all "with a slow reader"

timeout 60 "$oshrun" -n 16 ./writer 300 >all 2>&1
check all "into one file"

# Lines far longer than any pipe holds: each PE writes three of five million letters of its own.
long_lines='letter=$(printf "\\$(printf %o $((97 + SKERRY_PE)))")
    for i in 1 2 3; do head -c 5000000 /dev/zero | tr "\0" "$letter"; echo; done'
check_long() {
    awk 'length($0) != 5000000 || $0 !~ /^(a+|b+|c+|d+)$/ { print "broken line " NR ": " length($0); bad = 1; exit 1 }
        END { if (!bad && NR != 12) { print NR " lines"; exit 1 } }' "$1" || fail "$2"
}
run "$oshrun" -n 4 sh -c "$long_lines"
check_long out "long lines into a file"
timeout 60 "$oshrun" -n 4 sh -c "$long_lines" 2>&1 | (sleep 1; cat) >all
check_long all "long lines, a slow reader"

# Output without lines at all is passed on, not kept for its end.
timeout 60 "$oshrun" -n 1 sh -c 'head -c 1000000 /dev/zero; sleep 30' 2>err | head -c 900000 | wc -c >out
[ "$(cat out)" -eq 900000 ] || fail "no lines: $(cat out) bytes"
finish
