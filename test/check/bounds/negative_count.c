// SPDX-License-Identifier: BSD-3-Clause
// A negative number of elements becomes a huge one.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmem_int_put: dest 0x[0-9a-f]+: .* reach past the end
#include <shmem.h>

static int buffer[200];

int main(void) {
    shmem_init();
    int count = -1;
    shmem_int_put(buffer, buffer, (size_t)count, 1);
    shmem_finalize();
    return 0;
}
