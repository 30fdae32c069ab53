// SPDX-License-Identifier: BSD-3-Clause
// Uses an address, the second argument, at which no PE has memory, or that of code, in an operation on PE 1, the first
// argument (wild_address.sh).
#include <shmem.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 64
static char memory[BYTES];

int main(int count, char **arguments) {
    shmem_init();
    if (shmem_my_pe() == 0 && count == 3) {
        const bool is_code = strcmp(arguments[2], "code") == 0;
        void *const place = (void *)(is_code ? (uintptr_t)main : (uintptr_t)strtoul(arguments[2], NULL, 0));
        switch (arguments[1][0]) {
        case 'p': shmem_putmem(place, memory, BYTES, 1); break;                  // dest
        case 'f': shmem_putmem(memory, place, BYTES, 1); break;                  // source
        case 's': shmem_getmem(place, memory, BYTES, 1); break;                  // dest
        case 'g': shmem_getmem(memory, place, BYTES, 1); break;                  // source
        case 'w': shmem_int64_p(place, 1, 1); break;                             // a word
        case 'n': shmem_getmem_nbi(place, memory, BYTES, 1); break;              // dest
        case 'a': shmem_int64_atomic_add(place, 1, 1); break;                    // a word
        case 'i': shmem_int32_atomic_fetch_add(place, 1, 1); break;              // a word
        case 't': shmem_int64_iput(place, (int64_t *)memory, 2, 1, 4, 1); break; // dest
        default: break;
        }
        shmem_quiet();
        puts("not refused");
    }
    shmem_finalize();
    return 0;
}
