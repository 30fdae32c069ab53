// SPDX-License-Identifier: BSD-3-Clause
// A queue in memory that others do not reach.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_queue_create: memory 0x[0-9a-f]+: must be [0-9]+ bytes of this PE's symmetric memory, aligned to 1024 bytes
#include <aos.h>

int main(void) {
    aos_init(0);
    _Alignas(1024) char memory[4096];
    aos_queue_t queue;
    aos_queue_create(&queue, 1, 8, 4, memory, NULL);
    return aos_finalize();
}
