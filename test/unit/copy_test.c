// SPDX-License-Identifier: BSD-3-Clause
// The contiguous copy of the Linux machine, without a job around it: every size and alignment, each byte stored once
// and each element whole, and the order of its stores as another process sees them. On x86-64 each copy that the
// processor has is forced in turn. "copy_test quick" leaves out most alignments and the stepping, for valgrind and
// emulators.
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/machine/linux/pe/internal.h"
#include "../../src/machine/linux/pe/copy_choice.h"

#define UNSANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))
#define SPACE ((size_t)64 << 20)
#define BLOCK_WORDS 5000 // so many that what moves big cached blocks is reached with the real threshold
#define STREAM_FROM 4096 // so low that the small sizes here reach the non-temporal stores

static const char *variant = "default";
static unsigned char *dest_space, *source_space;
static bool quick;
static bool past_cache; // what is tested is the copy of one block of many that no cache holds together

static UNSANITIZED void copy(void *dest, const void *source, size_t bytes) {
    if (past_cache) skerry_copy_one_of_many(dest, source, bytes, UINT64_MAX);
    else skerry_copy_bytes(dest, source, bytes);
}

_Noreturn void skerry_refuse(const char *format, ...) {
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fputc('\n', stderr);
    exit(1);
}

static _Noreturn void fail(const char *what, size_t bytes, size_t to, size_t from) {
    fprintf(stderr, "copy_test: %s: %s: %zu bytes to offset %zu from offset %zu\n", variant, what, bytes, to, from);
    exit(1);
}

static unsigned char *shared_memory(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        perror("copy_test: mmap");
        exit(1);
    }
    return memory;
}

// -- Contents ----------------------------------------------------------------------------------------------------------

#define GUARD 96

static void fill_source(size_t bytes) {
    uint32_t state = 12345;
    for (size_t i = 0; i < bytes; i++) {
        state = state * 1664525u + 1013904223u;
        source_space[i] = (unsigned char)(state >> 24 | 1); // odd: differs from the even bytes around the destination
    }
}

static void check_copy(size_t bytes, size_t to, size_t from) {
    unsigned char *dest = dest_space + GUARD + to, *source = source_space + from;
    memset(dest - GUARD, 0x5a, bytes + 2 * (size_t)GUARD);
    copy(dest, source, bytes);
    if (memcmp(dest, source, bytes) != 0) fail("wrong contents", bytes, to, from);
    for (size_t i = 0; i < GUARD; i++)
        if (dest[bytes + i] != 0x5a || dest[-1 - (ptrdiff_t)i] != 0x5a) fail("wrote outside", bytes, to, from);
}

static void check_in_place(size_t bytes, size_t from) {
    static unsigned char before[4 * STREAM_FROM];
    memcpy(before, source_space + from, bytes);
    copy(source_space + from, source_space + from, bytes);
    if (memcmp(before, source_space + from, bytes) != 0) fail("changed a copy onto itself", bytes, from, from);
}

static void check_small_sizes(void) {
    static const size_t froms[] = {0, 1, 3, 4, 8, 15, 16, 31, 32, 40, 63};
    for (size_t bytes = 0; bytes <= 1024; bytes += quick && bytes > 160 ? 37 : 1) {
        // Above 256 bytes, five sizes in a row have all places together.
        const size_t step = quick ? 9 : bytes > 256 ? 5 : 1;
        for (size_t to = bytes % step; to < 64; to += step)
            for (size_t i = 0; i < sizeof froms / sizeof *froms; i += quick ? 3 : 1) check_copy(bytes, to, froms[i]);
        for (size_t from = 0; from < 64; from += 7) check_in_place(bytes, from);
    }
}

// Sizes about every threshold, and places where source or destination end with their page or cross it.
static void check_borders(void) {
    static const size_t middles[] = {64, 128, 256, 512, 1024, 2048, STREAM_FROM, STREAM_FROM + 64, 2 * STREAM_FROM};
    static const size_t places[] = {0, 1, 8, 4096 - GUARD - 64, 4096 - GUARD - 33, 4096 - GUARD - 1, 4096 - GUARD};
    for (size_t i = 0; i < sizeof middles / sizeof *middles; i++)
        for (int delta = -66; delta <= 66; delta += quick ? 11 : 1) {
            size_t bytes = (size_t)((ptrdiff_t)middles[i] + delta > 0 ? (ptrdiff_t)middles[i] + delta : 0);
            for (size_t to = 0; to < sizeof places / sizeof *places; to++)
                for (size_t from = 0; from < sizeof places / sizeof *places; from++)
                    check_copy(bytes, places[to], places[from]);
            check_in_place(bytes, 5);
        }
    for (size_t bytes = 1; bytes <= 300; bytes++) { // up to the last byte of a page, from the last byte of a page
        check_copy(bytes, 8192 - GUARD - bytes, 4096 - bytes);
        check_copy(bytes, 8192 - GUARD - bytes % 64, 1);
        check_copy(bytes, 1, 4096 - bytes % 64);
    }
}

static void check_big_sizes(size_t around) {
    for (int delta = -65; delta <= 65; delta += 13) check_copy((size_t)((ptrdiff_t)around + delta), 8, 24);
    check_copy(around + 1, 0, 0);
    check_copy(around + 4096, 63, 1);
}

// The page behind the last byte may not be there at all.
static void check_edge_of_memory(void) {
    unsigned char *pages = shared_memory(3 * 4096);
    munmap(pages + 4096, 4096);
    for (size_t bytes = 0; bytes <= 700; bytes++) {
        unsigned char *edge = pages + 4096 - bytes;
        copy(edge, source_space + 7, bytes);
        copy(dest_space + 3, edge, bytes);
        if (memcmp(edge, source_space + 7, bytes) || memcmp(edge, dest_space + 3, bytes)) fail("edge", bytes, 0, 0);
        copy(pages + 8192, source_space + 9, bytes);
        if (memcmp(pages + 8192, source_space + 9, bytes) != 0) fail("edge", bytes, 0, 0);
    }
    munmap(pages, 4096);
    munmap(pages + 8192, 4096);
}

// -- Once and whole ----------------------------------------------------------------------------------------------------
// The copy runs one instruction at a time. After each, what has arrived is overwritten at once, as another PE may do:
// no byte may arrive again, and no element in parts.

#if defined(__x86_64__)
#define UNTOUCHED 0x5a
#define OVERWRITTEN 0xa4

static struct {
    volatile unsigned char *dest;
    const unsigned char *source;
    size_t bytes, element;
    volatile bool torn, twice;
    bool taken[4 * STREAM_FROM];
} watched;

static UNSANITIZED void take_arrivals(int signal_number) {
    (void)signal_number;
    for (size_t at = 0; at < watched.bytes; at += watched.element) {
        size_t arrived = 0;
        for (size_t i = at; i < at + watched.element; i++) arrived += watched.dest[i] == watched.source[i];
        if (!arrived) continue;
        if (arrived != watched.element) watched.torn = true;
        for (size_t i = at; i < at + watched.element; i++) {
            if (watched.dest[i] != watched.source[i]) continue;
            if (watched.taken[i]) watched.twice = true;
            watched.taken[i] = true;
            watched.dest[i] = OVERWRITTEN;
        }
    }
}

static UNSANITIZED void set_stepping(bool on) {
    if (on) __asm__ volatile("sub $128, %%rsp; pushfq; orq $0x100, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc");
    else __asm__ volatile("sub $128, %%rsp; pushfq; andq $~0x100, (%%rsp); popfq; add $128, %%rsp" ::: "memory", "cc");
}

static UNSANITIZED void check_once(size_t bytes, size_t to, size_t from, size_t element) {
    watched.dest = dest_space + to;
    watched.source = source_space + from;
    watched.bytes = bytes;
    watched.element = element;
    watched.torn = watched.twice = false;
    memset(watched.taken, 0, bytes);
    memset(dest_space + to, UNTOUCHED, bytes);
    set_stepping(true);
    copy(dest_space + to, source_space + from, bytes);
    set_stepping(false);
    for (size_t i = 0; i < bytes; i++)
        if (!watched.taken[i]) fail("a byte was not seen to arrive", bytes, to, from);
    if (watched.twice) fail("stored twice", bytes, to, from);
    if (watched.torn) fail("an element arrived in parts", bytes, to, from);
}

static void check_stepped(void) {
    struct sigaction action = {.sa_handler = take_arrivals}, before;
    sigaction(SIGTRAP, &action, &before);
    for (size_t bytes = 1; bytes <= 330; bytes += bytes < 140 ? 1 : 11)
        for (size_t to = 0; to < 64; to += 42) check_once(bytes, to, 64 - to, 1);
    for (size_t element = 2; element <= 8; element *= 2)
        for (size_t bytes = element; bytes <= 700; bytes += element * (bytes < 140 ? 1 : 23))
            for (size_t to = 0; to < 64; to += 40 - element) check_once(bytes, to, element * 5, element);
    for (size_t bytes = 1024; bytes <= 3 * STREAM_FROM; bytes += 5616) // strings and non-temporal stores
        for (size_t to = 0; to < 64; to += 40) check_once(bytes, to, to, 8);
    check_once(8, 4096 - 8, 4096 - 8, 8);
    check_once(56, 4096 - 56, 16, 8); // at the end of a page
    sigaction(SIGTRAP, &before, NULL);
}

// -- Order -------------------------------------------------------------------------------------------------------------
// A writer stores its round, copies a block full of it, and stores it once more; a reader in another process looks in
// the opposite order. Who sees a later store must see all earlier ones.

struct order {
    _Alignas(64) volatile uint64_t ahead;
    _Alignas(64) volatile uint64_t behind;
    _Alignas(64) volatile uint64_t wrong;
    _Alignas(64) volatile uint64_t block[BLOCK_WORDS];
};

// Reader and writer on two processors where there are two; on one, nothing can be seen out of order.
static void stay_on(const cpu_set_t *allowed, int index) {
    for (size_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, allowed) || index-- > 0) continue;
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
        return;
    }
}

static UNSANITIZED void read_in_order(struct order *order, size_t words, uint64_t rounds) {
    volatile uint64_t *last = &order->block[words - 1];
    for (uint64_t behind = 0; behind != rounds;) {
        (void)*last; // an old copy of the line in this cache makes a late store show
        behind = order->behind;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (*last < behind) order->wrong = 2;
        if (behind % 16 == 0)
            for (size_t i = 0; i < words; i++)
                if (order->block[i] < behind) order->wrong = 2;
        uint64_t arrived = order->block[0];
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (order->ahead < arrived) order->wrong = 1;
    }
}

static UNSANITIZED void check_order(size_t words, uint64_t rounds) {
    struct order *order = (struct order *)(void *)shared_memory(sizeof *order);
    uint64_t *source = (uint64_t *)(void *)shared_memory(words * 8);
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    fflush(stdout);
    pid_t reader = fork();
    stay_on(&allowed, reader == 0 ? 1 : 0);
    if (reader == 0) {
        read_in_order(order, words, rounds);
        _exit(0);
    }
    if (reader < 0) fail("no second process", words * 8, 0, 0);
    for (uint64_t round = 1; round <= rounds; round++) {
        for (size_t i = 0; i < words; i++) source[i] = round;
        order->ahead = round;
        skerry_compiler_fence();
        copy((void *)(uintptr_t)order->block, source, words * 8);
        __atomic_store_n(&order->behind, round, __ATOMIC_RELEASE);
    }
    waitpid(reader, NULL, 0);
    sched_setaffinity(0, sizeof allowed, &allowed);
    if (order->wrong == 1) fail("the copy was seen before what was stored ahead of it", words * 8, 0, 0);
    if (order->wrong == 2) fail("what was stored behind the copy was seen before it", words * 8, 0, 0);
    munmap((void *)order, sizeof *order);
    munmap(source, words * 8);
}
#endif

// -------------------------------------------------------------------------------------------------------------------

static void check_all(size_t real_stream_from) {
    check_small_sizes();
    check_borders();
    check_edge_of_memory();
#if defined(__x86_64__)
    if (!quick) check_stepped();
    // A copy without its fence is found in 100 rounds.
    check_order(STREAM_FROM / 8, quick ? 20 : 30000);
    check_order(STREAM_FROM / 8 / 2, quick ? 20 : 30000);
    if (quick) return;
    struct skerry_copy_choice real;
    if (!skerry_copy_named(variant, &real) || !skerry_copy_use(&real)) fail("vanished", 0, 0, 0);
    check_order(BLOCK_WORDS, 30000);
#endif
    check_big_sizes((size_t)64 << 10);
    if (real_stream_from < SPACE - 8192) check_big_sizes(real_stream_from);
    check_big_sizes((size_t)16 << 20);
}

int main(int count, char **arguments) {
    quick = count > 1 && strcmp(arguments[1], "quick") == 0;
    dest_space = shared_memory(SPACE);
    source_space = shared_memory(SPACE);
    fill_source(quick ? (size_t)1 << 20 : SPACE);
#if defined(__x86_64__)
    static const char *const names[] = {"sse2", "string", "avx2", "avx512", "avx512_wide"};
    struct skerry_copy_choice choice;
    skerry_copy_guess(&choice);
    size_t real_stream_from = choice.stream_from;
    if (skerry_copy_named("no such copy", &choice) || skerry_copy_use(&(struct skerry_copy_choice){.loop = "none"}))
        fail("took it", 0, 0, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        variant = names[i];
        if (!skerry_copy_named(variant, &choice)) fail("unknown", 0, 0, 0);
        choice.stream_from = STREAM_FROM;
        if (!skerry_copy_use(&choice)) {
            printf("copy_test: %s: not on this processor\n", variant);
            continue;
        }
        check_all(real_stream_from);
        past_cache = true;
        check_all(SIZE_MAX);
        past_cache = false;
        printf("copy_test: %s: right\n", variant);
    }
#else
    check_all((size_t)8 << 20);
    printf("copy_test: right\n");
#endif
    return 0;
}
