#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If a node dies or its link is cut, the job ends everywhere within 2 and 10 seconds, with a line that names the node.
# The PEs on a node that is cut off end too.
. "$(dirname "$0")/common.sh"
build_with_library program
make_mpirun # so that the connections between oshrun and the nodes cross the links

started() { grep -q waits out; }
begin() { # OPTION...
    : >out
    "$oshrun" "$@" --launcher mpirun --hosts n1:2,n2:2,n3:1 ./program wait 1000 >out 2>err &
    job=$!
    wait_until started || fail "did not start: $(cat err)"
    begun=$(date +%s%N)
}
expect_end() { # SECONDS PATTERN [tables]
    wait "$job"
    code=$?
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    [ "$milliseconds" -lt "${1}000" ] || fail "ended after $milliseconds ms"
    expect_code 1
    [ -z "${3:-}" ] || { cp err tables; sed -i 1q err; } # --stats prints further lines
    expect_line "$2"
}

begin
sh "$lab" cut n3
expect_end 10 'oshrun: node n3 (PE 4) does not answer: no sign of life for 7 s; job stopped'
wait_until nothing_left || { sleep 8; expect_nothing_left; }
sh "$lab" heal n3

begin --stats
sh "$lab" kill n2
expect_end 2 'oshrun: the connection to node n2 (PEs 2-3) has ended; job stopped' tables
grep -qx 'node n1 (PEs 0-1)' tables || fail "no table of n1: $(cat tables)"
grep -qx 'node n2 (PEs 2-3): the node has sent no figures' tables || fail "no line for n2: $(cat tables)"
expect_nothing_left
finish
