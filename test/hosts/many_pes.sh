#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs of 64 PEs on 4 nodes, which all share the few processors of this machine, start and end in a short time. While
# the PEs wait for messages they must leave the processors to others: ssh makes a session for each node, and the
# scheduler did not run oshrun and skerry-node for 7 s and more beside sessions full of PEs that yielded.
. "$(dirname "$0")/common.sh"
cat >program.c <<'END'
#include <shmem.h>
#include <stdio.h>
static long rounds, added;
int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), pes = shmem_n_pes();
    for (int i = 0; i < 10; i++) { // every PE waits for replies of another node
        rounds = i;
        shmem_barrier_all();
        const long other = shmem_long_g(&rounds, (me + pes / 4) % pes);
        if (other != i) printf("PE %d: round %ld in place of %d\n", me, other, i);
        shmem_long_atomic_inc(&added, (me + pes / 2) % pes);
        shmem_barrier_all();
    }
    if (added == 10) printf("right\n");
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" -O1 program.c -o program || exit 1
start_ssh_servers 4
export UCX_TLS=tcp,self # PEs of different nodes must not find each other by this machine's shared memory

for _ in 1 2 3 4 5 6; do
    begun=$(date +%s%N)
    run "$oshrun" --bind none --hosts n1:16,n2:16,n3:16,n4:16 ./program
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    expect_code 0
    expect_silence
    [ "$(sort out | uniq -c | tr -s ' ')" = " 64 right" ] || fail "output: $(cat out)"
    [ "$milliseconds" -lt 20000 ] || fail "took $milliseconds ms"
done
finish
