#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout ends a job of two nodes also if PEs ignore SIGTERM, or if processes of the launcher on a node are stopped: the
# supervisor of the node, a timer of the kernel in each PE, or oshrun itself does it in their place.
# waits: yes
NODES=2
. "$(dirname "$0")/common.sh"
cat >stubborn.c <<'END'
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
int main(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) puts("waits");
    static long word;
    for (;;) shmem_long_p(&word, 1, (shmem_my_pe() + 1) % shmem_n_pes());
}
END
"$SKERRY_BIN/oshcc" -O1 stubborn.c -o program || exit 1

started() { grep -q waits out; }
pes() { ps -eo stat=,args= | awk '$1 !~ /^Z/ && /\.\/program/ && !/oshrun|skerry-node|awk/'; }
no_pe() { [ -z "$(pes)" ]; }
begin() { # SECONDS
    : >out
    begun=$(date +%s)
    "$oshrun" --timeout "$1" --hosts n1:2,n2:2 ./program >out 2>err &
    job=$!
    wait_until started || fail "did not start: $(cat err)"
}
stop_on_n2() { sh "$lab" on n2 pkill -STOP -x "$1" || fail "nothing to stop: $1"; }
# The limit is far above the seconds that it takes, because the machine can be busy, and far below those without a rule for the case.
expect_end() { # SECONDS WHAT
    wait "$job"
    code=$?
    seconds=$(($(date +%s) - begun))
    echo "$2: $seconds s"
    expect_code 124 "$2"
    [ $seconds -le "$1" ] || fail "$2: ended after $seconds s"
}

begin 3
expect_end 15 "PEs that block all signals"
expect_line 'oshrun: job stopped after 3 s (--timeout), PEs 0-3 still running'
expect_nothing_left

begin 4 # the supervisor of n2 kills the PEs and continues skerry-node
stop_on_n2 skerry-node
expect_end 20 "skerry-node is stopped"
expect_line 'oshrun: job stopped after 4 s (--timeout), PEs 0-3 still running'
expect_nothing_left

begin 4 # the kernel kills the PEs, and the keeper of n2 continues the supervisor
stop_on_n2 skerry-job
expect_end 25 "the supervisor of a node is stopped"
expect_line 'oshrun: job stopped after 4 s (--timeout), PEs 0-3 still running*'
expect_nothing_left

begin 4 # the kernel kills the PEs, and oshrun does not wait any longer
stop_on_n2 'skerry-node|skerry-job|job-keeper|oshrun'
expect_end 25 "the launcher of a node is stopped"
expect_line 'oshrun: job stopped after 4 s (--timeout), PEs 0-3 still running; node n2 did not end in time'
wait_until no_pe || fail "PEs are left: $(pes | head -3)"
sh "$lab" on n2 pkill -CONT -x 'skerry-node|skerry-job|job-keeper|oshrun'
expect_nothing_left
finish
