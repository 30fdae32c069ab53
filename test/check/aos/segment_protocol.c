// SPDX-License-Identifier: BSD-3-Clause
// Load and store for memory of one PE alone.
// pes: 1
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: aos_segment_create: options: protocols 0x1, but base 0x[0-9a-f]+ is private memory of this PE, which other PEs cannot load or store: leave out AOS_LOAD_STORE, 0x1
#include <aos.h>

int main(void) {
    aos_init(0);
    char memory[64];
    aos_segment_t segment;
    aos_segment_create(&segment, 1, memory, sizeof memory, &(aos_options_t){.protocols = AOS_LOAD_STORE});
    return aos_finalize();
}
