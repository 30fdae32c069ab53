// SPDX-License-Identifier: BSD-3-Clause
// <skerry_omp.h>: blocks and chunks arrive complete, for every alignment, size and mode; an array that is larger than a
// small core's memory is filled, scaled and summed by chunks.
#include <skerry_omp.h>

#include "test.h"

#define COUNT 12003 // 96 KB of double words
#define SPAN 80

static SKERRY_OMP_EXTERNAL int64_t large[COUNT];
static unsigned char shared[SPAN + 16];

struct odd {
    unsigned char bytes[12];
};

static size_t part_of(size_t count, int thread, int threads) {
    return count * (size_t)thread / (size_t)threads;
}

// Copies blocks with each offset and size between the first thread's memory and the calling thread's.
static void check_blocks(void) {
    for (size_t to = 0; to < 9; to++) {
        for (size_t from = 0; from < 9; from += to == 3 ? 1 : 4) {
            for (size_t bytes = 0; bytes <= SPAN; bytes += bytes < 20 ? 1 : 13) {
                _Alignas(8) unsigned char here[SPAN + 16], back[SPAN + 16];
                skerry_omp_counter_t counter = {0};
                memset(here, 0xee, sizeof here);
                for (size_t i = 0; i < bytes; i++) here[from + i] = (unsigned char)(from + 3 * to + i);
                memset(shared, 0xdd, sizeof shared);
                skerry_omp_put_begin(&counter, shared + to, here + from, bytes);
                skerry_omp_complete(&counter);
                skerry_omp_get_begin(&counter, back, shared, sizeof shared);
                skerry_omp_complete(&counter);
                for (size_t i = 0; i < sizeof back; i++) {
                    const bool inside = i >= to && i < to + bytes;
                    REQUIRE(back[i] == (inside ? (unsigned char)(from + 2 * to + i) : 0xdd),
                            "%d bytes from %d to %d: byte %d is %d", (int)bytes, (int)from, (int)to, (int)i, back[i]);
                }
            }
        }
    }
}

// Iterates over small arrays of elements of 12 bytes, whose chunks begin at any multiple of 4.
static void check_sizes(void) {
    struct odd array[45], copy[45], buffer[24];
    for (size_t count = 0; count < 45; count += count < 5 ? 1 : 9) {
        for (size_t room = 3; room <= 24; room += 5) {
            memset(array, 0, sizeof array);
            skerry_omp_chunks_t chunks;
            size_t done = 0;
            skerry_omp_chunks_begin(&chunks, SKERRY_OMP_WRITE, array, count, sizeof *array, buffer,
                                    room * sizeof *buffer);
            for (struct odd *part; (part = skerry_omp_chunks_next(&chunks)); done += chunks.count) {
                REQUIRE(chunks.first == done && chunks.count > 0 && chunks.count <= room / 2, "a wrong chunk");
                for (size_t i = 0; i < chunks.count; i++) memset(&part[i], (int)(done + i + 1), sizeof *part);
            }
            REQUIRE(done == count && skerry_omp_chunks_next(&chunks) == NULL, "%d of %d", (int)done, (int)count);
            skerry_omp_chunks_begin(&chunks, SKERRY_OMP_UPDATE, array, count, sizeof *array, buffer,
                                    room * sizeof *buffer);
            for (struct odd *part; (part = skerry_omp_chunks_next(&chunks));)
                for (size_t i = 0; i < chunks.count; i++) {
                    copy[chunks.first + i] = part[i];
                    part[i].bytes[11]++;
                }
            for (size_t i = 0; i < 45; i++) {
                const size_t value = i < count ? i + 1 : 0, last = i < count ? i + 2 : 0;
                REQUIRE(array[i].bytes[0] == value && array[i].bytes[11] == last, "element %d of %d", (int)i,
                        (int)count);
                REQUIRE(i >= count || (copy[i].bytes[0] == value && copy[i].bytes[11] == value), "copy %d", (int)i);
            }
        }
    }
}

// Leaves an iteration after two chunks: these are in the array, and nothing else is.
static void check_end(void) {
    int array[40] = {0}, buffer[3][8], done = 0;
    skerry_omp_chunks_t chunks;
    skerry_omp_chunks_begin(&chunks, SKERRY_OMP_UPDATE, array, 40, sizeof *array, buffer, sizeof buffer);
    for (int *part; done < 2 && (part = skerry_omp_chunks_next(&chunks)); done++)
        for (size_t i = 0; i < chunks.count; i++) part[i] = 1;
    skerry_omp_chunks_end(&chunks);
    REQUIRE(skerry_omp_chunks_next(&chunks) == NULL, "the iteration goes on");
    for (int i = 0; i < 40; i++) REQUIRE(array[i] == (i < 16), "element %d is %d", i, array[i]);
}

int main(void) {
    check_blocks();
    check_sizes();
    check_end();
    int64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        int64_t buffer[96], *part;
        skerry_omp_chunks_t chunks;
        const int me = omp_get_thread_num(), threads = omp_get_num_threads();
        // Each step uses the part of the array that another thread has written in the step before.
        for (int step = 0; step < 3; step++) {
            const int mine = (me + step) % threads;
            const size_t first = part_of(COUNT, mine, threads), end = part_of(COUNT, mine + 1, threads);
            const skerry_omp_mode_t modes[] = {SKERRY_OMP_WRITE, SKERRY_OMP_UPDATE, SKERRY_OMP_READ};
            skerry_omp_chunks_begin(&chunks, modes[step], large + first, end - first, sizeof *large, buffer,
                                    sizeof buffer);
            while ((part = skerry_omp_chunks_next(&chunks))) {
                for (size_t i = 0; i < chunks.count; i++) {
                    if (step == 0) part[i] = (int64_t)(first + chunks.first + i);
                    if (step == 1) part[i] *= 3;
                    if (step == 2) sum += part[i];
                }
            }
#pragma omp barrier
        }
    }
    REQUIRE(sum == INT64_C(3) * COUNT * (COUNT - 1) / 2, "the sum is wrong");
    return 0;
}
