// SPDX-License-Identifier: BSD-3-Clause
// Measures put and get by size: by PE 0 alone on its neighbour, and by all PEs at once, each on the next PE.
#include "chip.h"

#define BYTES_MAX 8192
// `source` and `dest` are allowed to overlap, because each copy goes from one PE to another.
static char memory[BYTES_MAX + 4096] __attribute__((aligned(8)));
static char *const source = memory, *const dest = memory + 4096;

static const uint16_t sizes[] = {8,   16,  24,  32,  40,  48,  56,   64,   72,   80,   88,  96,
                                 112, 128, 192, 256, 384, 512, 1024, 2048, 4096, 6144, 8192};

static int next; // PE me + 1, to the right or in the next row; for the last PE it is PE 0

static void __attribute__((noinline)) load_directly(void *to, const void *from, size_t bytes) {
    skerry_copy(to, shmem_ptr(from, next), bytes);
}

#define MEASURE(NAME, ALONE, STATEMENT)                                                                                \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        if (!(ALONE) || me == 0) cycles = CYCLES(STATEMENT);                                                           \
        shmem_barrier_all();                                                                                           \
        note(NAME, (ALONE) ? 1 : pes, bytes, cycles);                                                                  \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    next = me + 1 < pes ? me + 1 : 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t bytes = sizes[i];
        MEASURE("put", true, shmem_putmem(dest, source, bytes, next));
        MEASURE("put_quiet", true, (shmem_putmem(dest, source, bytes, next), shmem_quiet()));
        MEASURE("put", false, shmem_putmem(dest, source, bytes, next));
        MEASURE("get", true, shmem_getmem(dest, source, bytes, next));
        MEASURE("get", false, shmem_getmem(dest, source, bytes, next));
        MEASURE("get_direct", true, load_directly(dest, source, bytes));
        MEASURE("get_direct", false, load_directly(dest, source, bytes));
        if (bytes >= 64 && bytes + 8 <= BYTES_MAX)
            MEASURE("put_unaligned", true, shmem_putmem(dest + 3, source + 1, bytes, next));
    }
    tell();
    shmem_finalize();
    return 0;
}
