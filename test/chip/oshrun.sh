#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshrun.sh BIN: oshrun --machine places PEs on the cores that are named, takes oshrun's own options, and tells on stderr only
# how the run went.
set -eu
PATH=$1:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
    echo "oshrun: $*" >&2
    exit 1
}
cat >place.c <<'END'
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    unsigned core;
    __asm__("movfs %0, coreid" : "=r"(core));
    shmem_init();
    const char *word = getenv("WORD");
    printf("PE %d of %d: %u,%u %s\n", shmem_my_pe(), shmem_n_pes(), (core >> 6) - 32, (core & 63) - 8, word ? word : "-");
    static int token;
    int right = shmem_my_pe() + 1 < shmem_n_pes() ? shmem_my_pe() + 1 : 0;
    for (volatile unsigned turns = 0; getenv("LOOP"); turns++) continue;
    shmem_int_p(&token, 1, right);
    shmem_barrier_all();
    int got = token;
    shmem_finalize();
    return !got;
}
END
oshcc --machine epiphany-iii -Os place.c -o place.elf

# runs EXPECTED OPTION...: what the PEs print, in their order.
runs() {
    expected=$1
    shift
    oshrun --machine epiphany-iii "$@" place.elf >out 2>err || fail "$*: $(cat err)"
    sort -k 2n out >sorted
    printf '%b' "$expected" | cmp - sorted || fail "$*: $(cat out)"
}
runs 'PE 0 of 4: 1,1 -\nPE 1 of 4: 1,2 -\nPE 2 of 4: 2,1 -\nPE 3 of 4: 2,2 -\n' --cores 2x2@1,1
grep -q '^epiphany-iii: [0-9]* cycles, [0-9.]* ms at 600 MHz; [0-9]* instructions of 4 PEs$' err || fail "summary: $(cat err)"
grep -q '^network: fullest ' err || fail "network: $(cat err)"
grep -q '^off the chip: ' err || fail "off the chip: $(cat err)"
runs 'PE 0 of 3: 3,3 -\nPE 1 of 3: 0,0 -\nPE 2 of 3: 2,1 -\n' --cores 3,3/0,0/2,1/1,1 -n 3 --quiet
[ ! -s err ] || fail "not quiet: $(cat err)"
runs 'PE 0 of 2: 0,3 two words\nPE 1 of 2: 1,3 two words\n' --cores 2x1@0,3 -x 'WORD=two words'
WORD=here runs 'PE 0 of 1: 0,0 here\n' -n 1 -x WORD
oshrun --machine epiphany-iii -n 2 --tag-output place.elf 2>err | sort >out
printf '[0] PE 0 of 2: 0,0 -\n[1] PE 1 of 2: 0,1 -\n' | cmp - out || fail "--tag-output: $(cat out)"

# refuses TEXT OPTION...: one line that says why.
refuses() {
    text=$1
    shift
    if oshrun --machine epiphany-iii "$@" place.elf >out 2>err; then fail "$*: ran"; fi
    grep -q -e "$text" err && [ "$(wc -l <err)" -eq 1 ] || fail "$*: $(cat err)"
}
refuses 'rows 0 to 3' --cores 2x2@3,3
refuses 'is listed twice' --cores 1,1/1x4@1,0
refuses 'must be ROW,COLUMN' --cores 4x
refuses '1 to 16 or all' --cores 17
refuses '1 to 4' --cores 2x2 -n 5
refuses 'NOT_SET is not set' -x NOT_SET
refuses 'needs a name' -x =1
refuses 'seconds above 0' --timeout 0
refuses 'not for a chip' --heap 1m
refuses 'each PE is a core' --bind core
code=0
oshrun --machine epiphany-iii --timeout 0.3 -x LOOP=1 place.elf >out 2>err || code=$?
[ $code -eq 124 ] && grep -q 'stopped after 0.3 s (--timeout)' err || fail "--timeout: $code, $(cat err)"
# A PE that fails is named by its number in the job, whatever core it runs on.
cat >failing.c <<'END'
#include <shmem.h>

int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) return 7;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
END
oshcc --machine epiphany-iii -Os failing.c -o failing.elf
code=0
oshrun --machine epiphany-iii --cores 1x2@1,1 ./failing.elf 2>err || code=$?
[ "$code" = 7 ] || fail "a failing PE: exit code $code: $(cat err)"
grep -q '^skerry-sim: PE 1 exited with code 7; job stopped$' err || fail "a failing PE: $(cat err)"
