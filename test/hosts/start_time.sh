#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job of 64 PEs on 4 nodes starts and ends in a time that is near that of ssh alone: of 4 commands `true`, one on each
# node, started at the same time. The two take turns, because the machine's load changes. The bar for a quiet machine is
# a ratio of 1.5; the test fails above 2.5.
#
# A job of 256 PEs on 8 nodes takes at most twice the time of 64 PEs on 4 if each node has processors of its own. Here all
# nodes share the machine's processors, which start four times as many processes. So the bar is 1.2 times the growth of bare
# processes, as many on each node and as many with UCX, started by ssh too (bench/limits/start.c), or 1.2 times the time of the
# bare processes. The test fails above twice these times, because of the load of other programs.
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
limit=$SKERRY_BIN/../libexec/skerry/limits/start
# Starts bare processes on all nodes, of which two on each node use UCX, and returns when they have ended. As oshrun does, it
# does not wait until ssh has closed its connections.
bare() { # PROCESSES NODES...
    processes=$1 commands=
    shift
    rm -f ended
    mkfifo ended
    for node in "$@"; do
        ssh "$node" "UCX_TLS=$UCX_TLS $limit $processes 2" >ended &
        commands="$commands $!"
    done
    [ "$(head -n $# ended | grep -c '^limit start')" -eq $# ] || fail "the bare processes do not run"
    # shellcheck disable=SC2086
    kill $commands 2>/dev/null
    true
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
    measure bare 16 n1 n2 n3 n4
    few_bare=$took
    measure "$oshrun" --bind none --hosts n1:32,n2:32,n3:32,n4:32,n5:32,n6:32,n7:32,n8:32 ./init
    many=$took
    measure bare 32 n1 n2 n3 n4 n5 n6 n7 n8
    echo "ssh alone $alone ms; 64 PEs on 4 nodes $few ms, bare processes $few_bare ms; 256 on 8 $many ms, bare $took ms"
    [ "$round" = 1 ] && continue # the first round reads the programs from disk
    echo $((100 * few / alone)) >>ratios
    echo $((100 * many / few)) >>growth
    echo $((100 * took / few_bare)) >>growth_bare
    echo $((100 * few / few_bare)) >>of_bare_64
    echo $((100 * many / took)) >>of_bare_256
done
median() { sort -n "$1" | sed -n 4p; } # of 6: the upper one
ratio=$(median ratios) growth=$(median growth) growth_bare=$(median growth_bare)
echo "median: $ratio hundredths of ssh alone; of bare processes: $(median of_bare_64) with 64, $(median of_bare_256) with 256"
[ "$ratio" -le 250 ] || fail "the start takes $ratio hundredths of the time of ssh alone"
echo "median: 256 PEs on 8 nodes take $growth hundredths of 64 on 4, bare processes $growth_bare"
[ "$growth" -le $((2 * growth_bare)) ] || [ "$(median of_bare_256)" -le 200 ] ||
    fail "256 PEs on 8 nodes take $growth hundredths of the time of 64 on 4, and bare processes $growth_bare"
finish
