// SPDX-License-Identifier: BSD-3-Clause
// Measures transfers by the DMA channels: the cost of starting a transfer, and transfers on one channel and on two.
// Also measures how much of a transfer's time a computation hides.
#include "chip.h"

#define BYTES_MAX 8192
// `source` and `dest` are allowed to overlap, because each copy goes from one PE to another.
static char memory[BYTES_MAX + 2048] __attribute__((aligned(8)));
static char *const source = memory, *const dest = memory + 2048;
float numbers[256]; // not static, so that the compiler cannot assume that they stay 0
static volatile float result;

static const uint16_t sizes[] = {128, 192, 256, 512, 1024, 2048, 4096, 6144, 8192};

static int next;

#define MEASURE(NAME, ALONE, STATEMENT)                                                                                \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        cycles = NOT_MEASURED;                                                                                         \
        if (!(ALONE) || me == 0) cycles = CYCLES(STATEMENT);                                                           \
        shmem_barrier_all();                                                                                           \
        note(NAME, (ALONE) ? 1 : pes, bytes, cycles);                                                                  \
    } while (0)

// Computes in registers only. A DMA channel that runs at the same time does not compete with the computation for
// memory.
static void __attribute__((noinline)) compute(uint32_t rounds) {
    float a = 1, b = 0;
    while (rounds--) b = b * 0.5f + a;
    result = b;
}

// Computes with loads from this core's memory. A DMA channel that runs at the same time competes with the computation
// for this memory.
static void __attribute__((noinline)) compute_on_memory(uint32_t rounds) {
    float sum = 0;
    for (uint32_t i = 0; i < rounds; i++) sum += numbers[i & 255] * numbers[(i + 1) & 255];
    result = sum;
}

#define HIDE(NAME, COMPUTE)                                                                                            \
    do {                                                                                                               \
        uint32_t rounds = 100;                                                                                         \
        uint32_t step = CYCLES(COMPUTE(rounds));                                                                       \
        for (uint32_t sum = step; me == 0 && sum < transfer; sum += step) rounds += 100;                               \
        MEASURE(NAME "_alone", true, COMPUTE(rounds));                                                                 \
        MEASURE(NAME "_put", true, (shmem_putmem_nbi(dest, source, bytes, next), COMPUTE(rounds), shmem_quiet()));     \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    int me = shmem_my_pe(), pes = shmem_n_pes();
    next = me + 1 < pes ? me + 1 : 0;
    uint32_t cycles, transfer = 0;
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t bytes = sizes[i], half = bytes / 2;
        MEASURE("put_nbi_call", true, shmem_putmem_nbi(dest, source, bytes, next));
        MEASURE("put_nbi_fence", true, (shmem_putmem_nbi(dest, source, bytes, next), shmem_fence()));
        MEASURE("put_nbi", true, (shmem_putmem_nbi(dest, source, bytes, next), shmem_quiet()));
        transfer = cycles;
        MEASURE("put_nbi", false, (shmem_putmem_nbi(dest, source, bytes, next), shmem_quiet()));
        MEASURE("get_nbi", true, (shmem_getmem_nbi(dest, source, bytes, next), shmem_quiet()));
        MEASURE("get_nbi", false, (shmem_getmem_nbi(dest, source, bytes, next), shmem_quiet()));
        if (half < 128) continue; // below 128 bytes the library copies by the core and uses no DMA channel
        MEASURE("put_nbi_two", true,
                (shmem_putmem_nbi(dest, source, half, next), shmem_putmem_nbi(dest + half, source + half, half, next),
                 shmem_quiet()));
        MEASURE("get_nbi_two", true,
                (shmem_getmem_nbi(dest, source, half, next), shmem_getmem_nbi(dest + half, source + half, half, next),
                 shmem_quiet()));
        if (bytes < 2048) continue;
        HIDE("compute", compute);
        HIDE("compute_memory", compute_on_memory);
    }
    tell();
    shmem_finalize();
    return 0;
}
