#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# nodes.sh SKERRY-SIM FOLDER: runs the programs of this folder, which are compiled in FOLDER.
sim=$1
folder=$2
failures=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT

# ends CODE PATTERN PROGRAM OPTION...: the program has this exit code, and a line of its output matches the pattern, which
# may be empty.
ends() {
    code=$1 pattern=$2 program=$3
    shift 3
    "$sim" --machine mppa --max-cycles 20000000 "$@" "$folder/$program.elf" >"$out" 2>&1
    got=$?
    [ "$got" = "$code" ] && { [ -z "$pattern" ] || grep -Eq -- "$pattern" "$out"; } && return
    failures=$((failures + 1))
    printf '%s: expected code %s and %s, got code %s and\n' "$program" "$code" "$pattern" "$got" >&2
    cat "$out" >&2
}

all="--cores all"
ends 0 '' put $all --quiet
ends 0 '^node 15: sent 129 packets of 16388 bytes, received 129 of 16388; 1 jobs' put $all --stats
ends 0 '^link 0 -> 1 \(east\): 128 packets, ' put $all --stats
# A node's packets are two channels of its cluster's manager: node 1 has core (1,41).
ends 0 '"active_cycles":4355,"bytes":16388,"channel":"sent","core":33,"elements":129,"stalled_cycles":[{][}],"transfers":129' \
    put $all --quiet --json -
ends 0 '^networks: not used$' put --cores 0,1 --summary
ends 0 '' words $all
ends 0 'control words: sent 340, received 340, 40 events' words $all --stats
ends 0 '' many $all
ends 0 'node 0: sent 800 packets of 6400 bytes, received 12800 of 102400;' many $all --stats
ends 0 '' ddr --cores 0,0/0,17/1,0/1,17/8,0
ends 0 '' turns --cores 0,0/0,17
ends 124 'data network: 4 packets hold links and wait for each other for ever' deadlock $all
ends 124 '^  [A-D]: from node [0-3] to tag 5 of node [0-3], holds .*waits for [0-3] -> [0-3], behind [A-D]' deadlock $all
ends 124 '^ +0 --[A-D]--> +1 --[A-D]--> +2 --[A-D]--> +3 --[A-D]-->$' deadlock $all
ends 124 'cycle [0-9]+: node 1, DMA: a packet from node 0 arrived for Rx tag 77, which nobody owns' mistakes1 --cores 2
ends 124 'cycle [0-9]+: node 1: a word from node 0 has come to mailbox 66, which nobody owns' mistakes2 --cores 2
ends 124 'node 0, DMA: store of 4 bytes at 0x6003f000, where no such register is' mistakes3 --cores 2
ends 124 'node 0: access of 4 bytes at offset 0x20 of the control network.s registers' mistakes4 --cores 2
ends 124 'store of 4 bytes at 0x60041000, where no memory is' mistakes5 --cores 2
ends 124 'node 0: the route 053 of sender 0 of the control network leads to no node' mistakes6 --cores 2
[ "$failures" = 0 ]
