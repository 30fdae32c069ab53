// SPDX-License-Identifier: BSD-3-Clause
// Repeats, on a chip, the measurements of table 1 and of figures 2 and 3 of Hascoet et al. (2017;
// ../segments/segments_data.h). 1 to 16 PEs act while the other PEs wait at a barrier. For comparison, measures copies
// without segments. Rows raw_* use the library's copy routines, and rows dma_* use a DMA channel. The largest size is
// limited by the memory of a core.
#include "chip.h"
#define SEGMENTS_PES_MOST 16
#include "../segments/segments_data.h"

#define BYTES_MAX 2048
#define ROOM (16 * BYTES_MAX) // bytes of `outside`, and of each segment in external memory
#define TURNS 4

static char local[BYTES_MAX] __attribute__((aligned(8))), there[BYTES_MAX] __attribute__((aligned(8)));
SHMEMX_SHARED static char outside[ROOM] __attribute__((aligned(8))); // memory without a segment
static char *external;                                               // this PE's part of `outside`
static int me, pes;

static const uint16_t sizes[] = {8, 64, 256, 1024, 2048};
static const uint8_t counts[] = {1, 2, 4, 8, 16};

#define MEASURE(NAME, ACTIVE, BYTES, STATEMENT)                                                                        \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (me < (ACTIVE)) cycles = CYCLES(STATEMENT);                                                                 \
        shmem_barrier_all();                                                                                           \
        note(NAME, ACTIVE, BYTES, cycles);                                                                             \
    } while (0)

static void must_hold(bool holds) {
    if (!holds || failures) shmem_global_exit(4);
}

static void fill(char *data, uint32_t bytes, int value) {
    for (uint32_t i = 0; i < bytes; i++) data[i] = (char)(value + (int)i);
}

static bool holds(const char *data, uint32_t bytes, int value) {
    for (uint32_t i = 0; i < bytes; i++)
        if (data[i] != (char)(value + (int)i)) return false;
    return true;
}

// -- Table 1 -----------------------------------------------------------------------------------------------------------

static void __attribute__((noinline)) put_raw(int pe, uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) shmem_putmem(there, local, bytes, pe);
    shmem_quiet();
}

static void __attribute__((noinline)) put_by_channel(int pe, uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) {
        shmem_putmem_nbi(there, local, bytes, pe);
        shmem_fence();
    }
    shmem_quiet();
}

static void measure_table1(void) {
    for (unsigned c = 0; c < sizeof counts; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int active = counts[c], to = active == 1 ? me : right_of(me),
                from = active == 1 ? me
                       : me        ? me - 1
                                   : pes - 1;
            uint32_t bytes = sizes[i];
            fill(local, bytes, me);
            fill(there, bytes, 99);
            MEASURE("neighbour", active, bytes,
                    put_pieces(active == 1 ? &own_piece : &right_piece, local, bytes, TURNS));
            must_hold(from >= active || holds(there, bytes, from));
            MEASURE("raw_neighbour", active, bytes, put_raw(to, bytes));
            MEASURE("dma_neighbour", active, bytes, put_by_channel(to, bytes));
        }
}

// -- Figures 2 and 3 ---------------------------------------------------------------------------------------------------

static void __attribute__((noinline)) get_raw(int pe, uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) shmem_getmem(local, there, bytes, pe);
}

static void __attribute__((noinline)) get_by_channel(int pe, uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) {
        shmem_getmem_nbi(local, there, bytes, pe);
        shmem_quiet();
    }
}

static void __attribute__((noinline)) put_outside(uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) skerry_copy(external, local, bytes);
    (void)*(volatile char *)(external + bytes - 1); // this load returns only after all stores have arrived
}

static void __attribute__((noinline)) get_outside(uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) skerry_copy(local, external, bytes);
}

static void __attribute__((noinline)) get_outside_by_channel(uint32_t bytes) {
    for (int i = 0; i < TURNS; i++) {
        shmem_putmem_nbi(local, external, bytes, me);
        shmem_quiet();
    }
}

// Measures puts and gets at offset `place`, in bytes, of a segment. In the segment in the last PE's memory all acting
// PEs use offset 0. In a segment in external memory each PE uses an offset of its own.
static void measure_memory(const char *const names[4], uint64_t place, int active, uint32_t bytes) {
    fill(local, bytes, 7);
    MEASURE(names[0], active, bytes, put_memory(local, place, bytes, TURNS));
    MEASURE(names[1], active, bytes, put_memory_blocking(local, place, bytes, 1));
    fill(local, bytes, 55);
    MEASURE(names[2], active, bytes, get_memory(local, place, bytes, TURNS));
    must_hold(me >= active || holds(local, bytes, 7));
    MEASURE(names[3], active, bytes, get_memory_blocking(local, place, bytes, 1));
}

static void measure_pe(int active, uint32_t bytes) {
    static const char *const names[] = {"put_pe", "put_pe_blocking", "get_pe", "get_pe_blocking"};
    first_memory = 2;
    memory_count = 1;
    measure_memory(names, 0, active, bytes);
    MEASURE("raw_put_pe", active, bytes, put_raw(pes - 1, bytes));
    MEASURE("dma_put_pe", active, bytes, put_by_channel(pes - 1, bytes));
    MEASURE("raw_get_pe", active, bytes, get_raw(pes - 1, bytes));
    MEASURE("dma_get_pe", active, bytes, get_by_channel(pes - 1, bytes));
}

static void measure_external(int active, uint32_t bytes) {
    static const char *const names[] = {"put_external", "put_external_blocking", "get_external",
                                        "get_external_blocking"};
    first_memory = 0;
    memory_count = 1;
    measure_memory(names, (uint64_t)me * BYTES_MAX, active, bytes);
    MEASURE("raw_put_external", active, bytes, put_outside(bytes));
    MEASURE("raw_get_external", active, bytes, get_outside(bytes));
    MEASURE("dma_get_external", active, bytes, get_outside_by_channel(bytes));
}

static void measure_figures(void) {
    for (unsigned c = 0; c < sizeof counts; c++)
        for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            measure_pe(counts[c], sizes[i]);
            measure_external(counts[c], sizes[i]);
        }
}

int main(void) {
    shmem_init();
    timer_start();
    segments_begin();
    me = segments_me;
    pes = segments_pes;
    external = outside + me * BYTES_MAX;
    make_pieces(there, BYTES_MAX);
    make_memories(there, BYTES_MAX, ROOM);
    shmem_barrier_all();
    measure_table1();
    measure_figures();
    tell();
    must(aos_finalize());
    shmem_finalize();
    return failures != 0;
}
