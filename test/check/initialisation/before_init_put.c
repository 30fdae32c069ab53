// SPDX-License-Identifier: BSD-3-Clause
// Without checks too an inlined put says that it came too early. The address sanitizer reports such a crash itself.
// pes: 1
// skip: asan
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: symmetric memory was accessed \(at 0x[0-9a-f]+\) before shmem_init or aos_init
#include <shmem.h>

static long word;

int main(void) {
    shmem_long_p(&word, 1, 0);
    return 0;
}
