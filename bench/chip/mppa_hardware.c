// SPDX-License-Identifier: BSD-3-Clause
// Measures puts by micro-cores of the DMA unit of an MPPA's cluster, without the library's protocols: the hardware's part of
// table 1 of Hascoet et al. (2017). Each PE puts to its right neighbour in its row of the torus, over a link that no other PE
// uses. One PE alone puts to itself. A figure counts from the start until the PE has received the same number of puts.
#include "mppa.h"
#include "mppa_registers.h"

#define HEADER 127u
#define TAG 200u
#define PROGRAM 120u
enum { EAST = 2 }; // in a route; 0 is the end

#define MOST 262144
static uint8_t source[MOST] __attribute__((aligned(8))), target[MOST] __attribute__((aligned(8)));

// The program sends parameter 1 double words from the address in parameter 0 to offset 0.
static void set_up(void) {
    set_instruction(PROGRAM, SET_COUNTER | 1u << 18, 0);
    set_instruction(PROGRAM + 1, TO_OFFSET | SET_POINTER | SKIP | (PROGRAM + 3) << 22, 0);
    set_instruction(PROGRAM + 2, READ_8 | ADD_NUMBER | LOOP | (PROGRAM + 2) << 22, 8);
    set_instruction(PROGRAM + 3, END, 0);
    set_instruction(PROGRAM + 4, STOP, 0);
    TAG_ADDRESS(TAG) = (uint32_t)(uintptr_t)target;
    TAG_MODE(TAG) = 0;
    TAG_SIZE(TAG) = MOST;
    HEADER_TARGET(HEADER) = HEADER_VALID | TAG;
}

static void put_and_receive(size_t bytes, unsigned turns) {
    const uint32_t before = TAG_TRANSFERS(TAG);
    PARAMETER(0) = (uint32_t)(uintptr_t)source;
    PARAMETER(1) = (uint32_t)bytes / 8;
    for (unsigned i = 0; i < turns; i++) START(0) = PROGRAM | HEADER << 8;
    while (((TAG_TRANSFERS(TAG) - before) & 0xffff) != turns) continue;
}

int main(void) {
    static const uint32_t sizes[] = {8, 1024, 4096, 16384, 65536, 262144};
    static const int counts[] = {1, 4, 8, 16};
    shmem_init();
    const int me = shmem_my_pe();
    set_up();
    fill(source, MOST, me);
    for (unsigned c = 0; c < 4; c++) {
        const int active = counts[c], left = active == 1 ? me : me / 4 * 4 + (me + 3) % 4;
        HEADER_ROUTE(HEADER) = active == 1 ? 0 : EAST;
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const unsigned turns = i == 0 ? 1 : sizes[i] <= 16384 ? 8 : 2;
            MEASURE("hardware", active, sizes[i], turns, put_and_receive(sizes[i], turns));
            must_hold(me >= active || has(target, sizes[i], left), "hardware");
        }
    }
    shmem_finalize();
    return 0;
}
