// SPDX-License-Identifier: BSD-3-Clause
// Moves data for OpenMP programs on machines whose cores have small, fast memories of their own and share a large, slow
// one (docs/guide/openmp.md). A thread copies a block to a buffer on its stack, computes there, and copies the result
// back. On all other machines these functions copy too, so one program runs everywhere.
//
// A transfer has two parts, begin and complete. On machines whose network interface copies (the simulated machines sarc),
// the calling core computes meanwhile, and a counter in hardware counts the bytes that have arrived (Tendulkar et al.
// 2011). On all other machines the calling core copies in the first part.
//
// A counter or an iteration belongs to one thread. Other threads must not use it. A wrong argument ends the program
// with one line on standard error and exit code 1.
#ifndef SKERRY_OMP_H
#define SKERRY_OMP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !defined(SKERRY_BUILD) && defined(__GNUC__)
#pragma GCC system_header
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Counts the transfers that were begun with this counter and are not complete. A counter must be zero before its first
// transfer: `skerry_omp_counter_t counter = {0};`. The member is the implementation's.
typedef struct {
    size_t pending; // not 0: there are transfers, or puts whose stores have possibly not arrived yet
} skerry_omp_counter_t;

// The direction in which an iteration copies the chunks of an array.
typedef enum {
    SKERRY_OMP_READ = 1, // from the array to the buffer
    SKERRY_OMP_WRITE,    // from the buffer to the array
    SKERRY_OMP_UPDATE    // from the array to the buffer, and later back
} skerry_omp_mode_t;

// An iteration over an array in chunks. Programs may read the first two members. All other members are the
// implementation's.
typedef struct {
    size_t first; // index of the current chunk's first element in the array
    size_t count; // number of elements of the current chunk
    skerry_omp_mode_t mode;
    unsigned parts, part;             // number of parts of the buffer; the part that has the current chunk
    size_t size, total, chunk;        // bytes of an element; number of elements of the array; of a chunk
    size_t part_bytes, bytes;         // of a part of the buffer; of the current chunk
    char *array;                      // address behind the current chunk in the array
    char *buffer, *current;           // addresses of the buffer, and of its part that has the current chunk
    skerry_omp_counter_t counters[3]; // of the transfers of each part
} skerry_omp_chunks_t;

// Before a static array: places it in the large memory of a machine that has one. There its initial value is zero.
#define SKERRY_OMP_EXTERNAL __attribute__((section(".external")))

// -- Internal functions ------------------------------------------------------------------------------------------------

// Ends the program with the line "ROUTINE: BEFORE number BETWEEN other AFTER". Does not use printf, which would take a
// large part of a small memory.
__attribute__((noreturn, cold, noinline, unused)) static void skerry_data_error(const char *routine, const char *before,
                                                                                size_t number, const char *between,
                                                                                size_t other, const char *after) {
    const char *texts[] = {routine, ": ", before, between, after, "\n"};
    char line[256];
    size_t end = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (i == 3 || i == 4) {
            char digits[20];
            size_t value = i == 3 ? number : other, left = sizeof digits;
            do digits[--left] = (char)('0' + value % 10);
            while ((value /= 10) != 0);
            memcpy(line + end, digits + left, sizeof digits - left);
            end += sizeof digits - left;
        }
        memcpy(line + end, texts[i], strlen(texts[i]));
        end += strlen(texts[i]);
    }
    exit(write(STDERR_FILENO, line, end) < 0 ? 2 : 1);
}

#ifdef SKERRY_OMP_COPIES // oshcc defines it for machines whose library has these two functions
void skerry_copy_begin(size_t *pending, void *to, const void *from, size_t bytes);
void skerry_copy_complete(size_t *pending);
#endif

// Begins a copy. `is_put`: the copy's stores must be completed later.
__attribute__((unused)) static inline void skerry_data_copy(const char *routine, skerry_omp_counter_t *counter,
                                                            int is_put, void *to, const void *from, size_t bytes) {
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (bytes == 0) return;
    if (!to || !from || (a > b ? a - b : b - a) < bytes)
        skerry_data_error(routine, "the blocks of ", bytes, " bytes must exist and not overlap; their distance is ",
                          a > b ? a - b : b - a, " bytes");
#ifdef SKERRY_OMP_COPIES
    (void)is_put;
    skerry_copy_begin(&counter->pending, to, from, bytes);
#else
    // The compiler must not know the size: it would copy word by word, and memcpy knows wider accesses.
    const volatile size_t size = bytes;
    memcpy(to, from, size);
    if (is_put) counter->pending = 1; // the value of a get has arrived when the next instruction begins
#endif
}

// -- Transfers ---------------------------------------------------------------------------------------------------------

//@ skerry_omp_get_begin: skerry_omp_get_begin
// Begins to copy a block to the calling thread's own memory. The block is complete after skerry_omp_complete.
//   counter  counts this transfer until it is complete
//   to       address of a buffer, usually on the calling thread's stack
//   from     address of the block in any memory
//   bytes    size in bytes; 0: nothing is copied. The copy is fastest if both addresses are multiples of 8
// Order: the block can be read at any time until skerry_omp_complete. Until then no thread may write the block, and the
// calling thread must not access the buffer. Another thread's writes to the block are read if that thread has completed
// them, and a construct of OpenMP, for example a barrier, has ordered them before this call.
// Errors: if an address is NULL, or if the blocks overlap, the program ends with a line on standard error.
// Source: Tendulkar et al. 2011. See skerry_omp_put_begin(3), skerry_omp_complete(3).
static inline void skerry_omp_get_begin(skerry_omp_counter_t *counter, void *to, const void *from, size_t bytes) {
    skerry_data_copy("skerry_omp_get_begin", counter, 0, to, from, bytes);
}

//@ skerry_omp_put_begin: skerry_omp_put_begin
// Begins to copy a block from the calling thread's own memory. The block is complete after skerry_omp_complete.
//   counter  counts this transfer until it is complete
//   to       address of the destination in any memory
//   from     address of a buffer, usually on the calling thread's stack
//   bytes    size in bytes; 0: nothing is copied. The copy is fastest if both addresses are multiples of 8
// Order: until skerry_omp_complete no thread may access the destination, and the calling thread must not write the
// buffer. Transfers that are begun one after the other have no order.
// Errors: if an address is NULL, or if the blocks overlap, the program ends with a line on standard error.
// Source: Tendulkar et al. 2011. See skerry_omp_get_begin(3), skerry_omp_complete(3).
static inline void skerry_omp_put_begin(skerry_omp_counter_t *counter, void *to, const void *from, size_t bytes) {
    skerry_data_copy("skerry_omp_put_begin", counter, 1, to, from, bytes);
}

//@ skerry_omp_complete: skerry_omp_complete
// Waits until all transfers that were begun with a counter are complete. Their data has arrived in the destination's
// memory, and the counter is zero. Returns at once if there are none.
//   counter  a counter of the calling thread
// Order: other threads see the data of a put after this call and a construct of OpenMP that follows it, for example a
// barrier. The data of a get can be read after this call.
// Source: Tendulkar et al. 2011. See skerry_omp_get_begin(3), skerry_omp_put_begin(3).
static inline void skerry_omp_complete(skerry_omp_counter_t *counter) {
#if defined(SKERRY_OMP_COPIES)
    skerry_copy_complete(&counter->pending);
#elif defined(__SANITIZE_THREAD__) // this sanitizer does not understand fences
    __atomic_exchange_n(&counter->pending, 0, __ATOMIC_ACQ_REL);
#else
    if (counter->pending > 0) __atomic_thread_fence(__ATOMIC_RELEASE); // on scratchpads it waits for the core's stores
    counter->pending = 0;
#endif
}

// -- Iteration over an array in chunks ---------------------------------------------------------------------------------

//@ skerry_omp_chunks_end: skerry_omp_chunks_end
// Ends an iteration and completes its transfers. Needed only if the program leaves the iteration before
// skerry_omp_chunks_next has returned NULL. In the modes SKERRY_OMP_WRITE and SKERRY_OMP_UPDATE the whole current chunk
// is copied to the array first. The iteration has no further chunks afterwards.
//   chunks  an iteration that skerry_omp_chunks_begin has begun
// Order: as skerry_omp_complete.
// Source: See skerry_omp_chunks_begin(3), skerry_omp_chunks_next(3).
static inline void skerry_omp_chunks_end(skerry_omp_chunks_t *chunks) {
    if (chunks->mode != SKERRY_OMP_READ && chunks->bytes > 0)
        skerry_omp_put_begin(&chunks->counters[chunks->part], chunks->array - chunks->bytes, chunks->current,
                             chunks->bytes);
    for (unsigned i = 0; i < chunks->parts; i++) skerry_omp_complete(&chunks->counters[i]);
    chunks->first = chunks->total;
    chunks->count = 0;
    chunks->bytes = 0;
}

//@ skerry_omp_chunks_begin: skerry_omp_chunks_begin
// Begins an iteration of the calling thread over an array in chunks that fit in a buffer. In the modes SKERRY_OMP_READ
// and SKERRY_OMP_UPDATE the first chunk's transfer begins.
//   chunks  the iteration; its content before the call does not matter
//   mode    SKERRY_OMP_READ: each chunk is copied from the array to the buffer before the program gets it.
//           SKERRY_OMP_WRITE: each chunk is copied from the buffer to the array after the program has written all of
//           it; its content before that is not specified. SKERRY_OMP_UPDATE: both
//   array   address of the array's first element, in any memory
//   count   number of elements of the array; 0: there are no chunks
//   size    bytes of an element
//   buffer  address of the buffer, usually on the calling thread's stack, aligned for an element
//   bytes   size of the buffer in bytes. It is divided into two parts, with SKERRY_OMP_UPDATE into three, so that the
//           transfers of other chunks can go on while the program uses one. A part must hold at least one element. A
//           chunk has as many elements as fit in a part, rounded down to a multiple of 8 if there are more than 8
// Order: until the iteration has ended, no other thread may write the array or, in the modes SKERRY_OMP_WRITE and
// SKERRY_OMP_UPDATE, read it. Threads that share an array iterate over separate ranges of it.
// Errors: if an element has 0 bytes, if the buffer is too small, if the mode is unknown, or if an address is NULL, the
// program ends with a line on standard error.
// Source: the triple buffering of Tendulkar et al. 2011, IV A. See skerry_omp_chunks_next(3), skerry_omp_chunks_end(3).
static inline void skerry_omp_chunks_begin(skerry_omp_chunks_t *chunks, skerry_omp_mode_t mode, void *array,
                                           size_t count, size_t size, void *buffer, size_t bytes) {
    const char *const routine = "skerry_omp_chunks_begin";
    const unsigned parts = mode == SKERRY_OMP_UPDATE ? 3 : 2;
    if (mode < SKERRY_OMP_READ || mode > SKERRY_OMP_UPDATE)
        skerry_data_error(routine, "mode ", (size_t)mode, " is none of the ", 3, " modes");
    if (size == 0 || bytes / parts < size)
        skerry_data_error(routine, "an element of ", size, " bytes must have at least 1 byte and fit in a part of ",
                          bytes / parts, " bytes of the buffer");
    if (count > SIZE_MAX / size || (count > 0 && !array) || !buffer)
        skerry_data_error(routine, "an array of ", count, " elements of ", size,
                          " bytes: it and the buffer must exist");
    size_t chunk = bytes / parts / size;
    if (chunk > 8) chunk &= ~(size_t)7;
    skerry_omp_chunks_t begun = {0,
                                 0,
                                 mode,
                                 parts,
                                 parts - 1,
                                 size,
                                 count,
                                 chunk,
                                 chunk * size,
                                 0,
                                 (char *)array,
                                 (char *)buffer,
                                 (char *)buffer + (parts - 1) * chunk * size,
                                 {{0}, {0}, {0}}};
    *chunks = begun;
    if (mode != SKERRY_OMP_WRITE)
        skerry_omp_get_begin(&chunks->counters[0], buffer, array, (count < chunk ? count : chunk) * size);
}

//@ skerry_omp_chunks_next: skerry_omp_chunks_next
// Ends the work on the current chunk and gives the program the next chunk. `chunks->first` is then the index of its first
// element in the array, and `chunks->count` the number of its elements. After the last chunk, completes all transfers of
// the iteration.
//   chunks  an iteration that skerry_omp_chunks_begin has begun
// Order: the chunk's data can be read and, except with SKERRY_OMP_READ, written until the next call. After a call that
// returns NULL, as after skerry_omp_complete.
// Returns: the address of the chunk's first element in the buffer; NULL after the last chunk.
// Errors: if the iteration was not begun and its memory is zero, the program ends with a line on standard error.
// Source: See skerry_omp_chunks_begin(3).
static inline void *skerry_omp_chunks_next(skerry_omp_chunks_t *chunks) {
    const size_t chunk = chunks->chunk, done = chunks->first + chunks->count, left = chunks->total - done;
    if (chunks->size == 0)
        skerry_data_error("skerry_omp_chunks_next", "the iteration has ", 0, " parts and chunks of ", chunk,
                          " elements: skerry_omp_chunks_begin was not called");
    if (left == 0) {
        skerry_omp_chunks_end(chunks);
        return NULL;
    }
    const unsigned next = chunks->part + 1 < chunks->parts ? chunks->part + 1 : 0;
    const unsigned after = next + 1 < chunks->parts ? next + 1 : 0;
    char *const next_part = next > 0 ? chunks->current + chunks->part_bytes : chunks->buffer;
    char *const after_part = after > 0 ? next_part + chunks->part_bytes : chunks->buffer;
    const size_t count = left < chunk ? left : chunk, rest = left - count;
    const size_t bytes = count < chunk ? count * chunks->size : chunks->part_bytes;
    // All transfers begin before the wait for the next chunk, so that they go on meanwhile. The part after the next one is
    // free for the data of the chunk after it: the program has used it, and with SKERRY_OMP_UPDATE its put is complete.
    if (chunks->mode == SKERRY_OMP_UPDATE) skerry_omp_complete(&chunks->counters[after]);
    if (chunks->mode != SKERRY_OMP_READ && chunks->bytes > 0)
        skerry_omp_put_begin(&chunks->counters[chunks->part], chunks->array - chunks->bytes, chunks->current,
                             chunks->bytes);
    if (chunks->mode != SKERRY_OMP_WRITE && rest > 0)
        skerry_omp_get_begin(&chunks->counters[after], after_part, chunks->array + bytes,
                             rest < chunk ? rest * chunks->size : chunks->part_bytes);
    chunks->first = done;
    chunks->count = count;
    chunks->bytes = bytes;
    chunks->array += bytes;
    chunks->part = next;
    chunks->current = next_part;
    // The next chunk's data has arrived, or with SKERRY_OMP_WRITE the data that was in its part before has left.
    skerry_omp_complete(&chunks->counters[next]);
    return next_part;
}

#ifdef __cplusplus
}
#endif

#endif
