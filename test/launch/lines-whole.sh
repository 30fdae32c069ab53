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
finish
