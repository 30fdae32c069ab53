// SPDX-License-Identifier: BSD-3-Clause
// Every descriptor closed before shmem_init, as daemons do.
// pes: 2
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_init: the program has closed descriptor [0-9]+, the job's memory file
#define _GNU_SOURCE
#include <shmem.h>
#include <unistd.h>

int main(void) {
    for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
    shmem_init();
    shmem_finalize();
    return 0;
}
