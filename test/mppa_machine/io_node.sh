#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --io-node: PE 0 is an I/O node, and its threads are its first 7 cores; which programs, machines and numbers of PEs are refused.
# Usage: io_node.sh FOLDER, which has oshcc and oshrun
. "$(dirname "$0")/common.sh"
cat >cores.c <<'END'
#include <omp.h>
#include <shmem.h>
#include <stdio.h>
int main(void) {
    shmem_init();
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    printf("%d of %d: %d\n", shmem_my_pe(), shmem_n_pes(), threads);
    shmem_finalize();
    return 0;
}
END
oshcc --machine mppa -fopenmp -O2 cores.c -o cores.elf
oshrun --machine mppa -n 3 --io-node --tag-output --quiet cores.elf | sort >out
printf '[0] 0 of 3: 7\n[1] 1 of 3: 16\n[2] 2 of 3: 16\n' | cmp - out || fail "three PEs: $(cat out)"
oshrun --machine mppa --io-node --tag-output --quiet cores.elf | sort -n -t ' ' -k 2 | sed -n '17,18p' >out
printf '[16] 16 of 18: 16\n[17] 17 of 18: 7\n' | cmp - out || fail "all PEs: $(cat out)"

refuse() { # text, words of the command
    text=$1
    shift
    code=0
    "$@" >out 2>&1 || code=$?
    [ $code -eq 125 ] || fail "$*: exit code $code: $(cat out)"
    grep -q -- "$text" out || fail "$*: $(cat out)"
}
refuse 'skerry-sim: -n must be 1 to 18, not 19' oshrun --machine mppa -n 19 --io-node cores.elf
refuse 'skerry-sim: -n must be 1 to 16, not 17' oshrun --machine mppa -n 17 cores.elf
refuse 'skerry-sim: --io-node: mppa-cluster has no I/O node' oshrun --machine mppa-cluster --io-node cores.elf
echo 'int main(void) { return 0; }' >plain.c
oshcc --machine mppa-cluster -fopenmp plain.c -o plain.elf
refuse "skerry-sim: --io-node: the program's PEs are not clusters" oshrun --machine mppa --io-node plain.elf
