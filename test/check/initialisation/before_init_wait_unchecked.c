// SPDX-License-Identifier: BSD-3-Clause
// Without checks a wait before set-up does not hang: nobody could end it.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: this PE waits for a word before shmem_init or aos_init; no other PE can change it
#include <shmem.h>

static long word;

int main(void) {
    shmem_long_wait_until(&word, SHMEM_CMP_NE, 0);
    return 0;
}
