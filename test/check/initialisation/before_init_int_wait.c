// SPDX-License-Identifier: BSD-3-Clause
// An old name before shmem_init is told as the program called it.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: shmem_int_wait: called before shmem_init
#include <shmem.h>

static int word;

int main(void) {
    shmem_int_wait(&word, 0);
    return 0;
}
