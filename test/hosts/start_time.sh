#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job of 64 PEs on 4 nodes starts and ends in a time that is near that of ssh alone: of 4 commands `true`, one on each
# node, started at the same time. The two take turns, because the machine's load changes. The bar for a quiet machine is
# a ratio of 1.5; the test fails above 2.5. A job of 256 PEs on 8 nodes takes at most twice the time of 64 PEs on 4 if each
# node has processors of its own. Here all nodes share the machine's processors. With fewer than 8 the test allows 5 times:
# four times as many processes, and the load of other programs.
NODES=8
. "$(dirname "$0")/common.sh"
cat >init.c <<'END'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" -O1 init.c -o init || exit 1
start_ssh_servers 8
export UCX_TLS=tcp,self

ssh_alone() {
    commands=
    for node in n1 n2 n3 n4; do
        ssh "$node" true &
        commands="$commands $!"
    done
    # shellcheck disable=SC2086
    wait $commands # and not for the servers, which run until the end
}
measure() { # COMMAND...: stores the milliseconds in `took`
    begun=$(date +%s%N)
    "$@" >out 2>err </dev/null || fail "$*: code $?: $(cat err)"
    took=$((($(date +%s%N) - begun) / 1000000))
}

for round in 1 2 3 4 5 6 7; do
    measure ssh_alone
    alone=$took
    measure "$oshrun" --bind none --hosts n1:16,n2:16,n3:16,n4:16 ./init
    few=$took
    measure "$oshrun" --bind none --hosts n1:32,n2:32,n3:32,n4:32,n5:32,n6:32,n7:32,n8:32 ./init
    echo "ssh alone $alone ms, 64 PEs on 4 nodes $few ms, 256 on 8 $took ms"
    [ "$round" = 1 ] && continue # the first round reads the programs from disk
    echo $((100 * few / alone)) >>ratios
    echo $((100 * took / few)) >>growth
done
sort -n ratios >sorted
median=$(sed -n 4p sorted) # of 6: the upper one
echo "median: $median hundredths of ssh alone"
[ "$median" -le 250 ] || fail "the start takes $median hundredths of the time of ssh alone"
sort -n growth >sorted
median=$(sed -n 4p sorted)
most=500
[ "$(nproc)" -lt 8 ] || most=250
echo "median: 256 PEs on 8 nodes take $median hundredths of 64 on 4"
[ "$median" -le $most ] || fail "256 PEs on 8 nodes take $median hundredths of the time of 64 on 4, more than $most"
finish
