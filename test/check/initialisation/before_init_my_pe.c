// SPDX-License-Identifier: BSD-3-Clause
// An old name before shmem_init is told as the program called it.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: _my_pe: called before shmem_init
#include <shmem.h>

int main(void) {
    return _my_pe();
}
