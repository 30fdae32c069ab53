// SPDX-License-Identifier: BSD-3-Clause
// Copies between two places of shared memory in several ways, with and without a full fence after each copy: by the C
// library's memcpy, by a string instruction, and by plain loops over vectors with ordinary and with non-temporal
// stores. The figures are the limit of putmem and getmem, because no library can copy faster. The figures also
// determined the copies and thresholds in src/machine/linux/arch. Arguments: the number of batches, then sizes in bytes
// (default: 8 B to 16 MB).
// * A vector loop needs aligned memory and a size that is a multiple of the bytes of one turn.
// * At smaller sizes only memcpy, the string instruction and the copy of one word are measured.
#include "limits.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define PLACE ((size_t)64 << 20)

static char *dest, *source;

struct copy {
    const char *name, *fenced_name;
    void (*copy)(char *to, const char *from, size_t bytes);
    size_t unit; // in bytes; only sizes that are multiples of `unit` are measured
    const char *needs;
};

static void copy_memcpy(char *to, const char *from, size_t bytes) {
    memcpy(to, from, bytes);
}

// Copies one word, as a compiler does for a copy of eight bytes whose size it knows.
static void copy_word(char *to, const char *from, size_t bytes) {
    (void)bytes;
    *(volatile uint64_t *)(void *)to = *(const volatile uint64_t *)(const void *)from;
}

#if defined(__x86_64__)
static void copy_string(char *to, const char *from, size_t bytes) {
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
}

// Defines a loop that loads `UNROLL` vectors of `TYPE` in each turn and then stores them.
#define VECTOR_LOOP(NAME, TARGET, TYPE, UNROLL, STORE, END)                                                            \
    __attribute__((target(TARGET))) static void NAME(char *to, const char *from, size_t bytes) {                       \
        for (const char *end = from + bytes; from != end;                                                              \
             from += UNROLL * sizeof(TYPE), to += UNROLL * sizeof(TYPE)) {                                             \
            TYPE vectors[UNROLL];                                                                                      \
            _Pragma("GCC unroll 8") for (size_t i = 0; i < UNROLL; i++) vectors[i] =                                   \
                *(const TYPE *)(const void *)(from + i * sizeof(TYPE));                                                \
            _Pragma("GCC unroll 8") for (size_t i = 0; i < UNROLL; i++)                                                \
                STORE((TYPE *)(void *)(to + i * sizeof(TYPE)), vectors[i]);                                            \
            __asm__ volatile("" ::: "memory");                                                                         \
        }                                                                                                              \
        END;                                                                                                           \
    }
VECTOR_LOOP(copy_sse2, "sse2", __m128i, 4, _mm_store_si128, )
VECTOR_LOOP(copy_avx2, "avx2", __m256i, 4, _mm256_store_si256, _mm256_zeroupper())
VECTOR_LOOP(copy_avx512, "avx512f", __m512i, 4, _mm512_store_si512, _mm256_zeroupper())
VECTOR_LOOP(copy_stream16, "sse2", __m128i, 4, _mm_stream_si128, _mm_sfence())
VECTOR_LOOP(copy_stream32, "avx2", __m256i, 4, _mm256_stream_si256, _mm_sfence())
VECTOR_LOOP(copy_stream64, "avx512f", __m512i, 4, _mm512_stream_si512, _mm_sfence())
#endif
#ifdef LIMIT_EXTRA_COPY // a copy function to compare; a user defines its name and links it (README.md)
void LIMIT_EXTRA_COPY(void *to, const void *from, size_t bytes);
static void copy_extra(char *to, const char *from, size_t bytes) {
    LIMIT_EXTRA_COPY(to, from, bytes);
}
#endif

#define COPY(NAME, UNIT, NEEDS)                                                                                        \
    { "copy_" #NAME, "copy_fence_" #NAME, copy_##NAME, UNIT, NEEDS }
static const struct copy copies[] = {
    COPY(memcpy, 1, NULL),    COPY(word, 8, NULL),
#if defined(__x86_64__)
    COPY(string, 1, NULL),    COPY(sse2, 64, NULL),        COPY(avx2, 128, "avx2"),        COPY(avx512, 256, "avx512f"),
    COPY(stream16, 64, NULL), COPY(stream32, 128, "avx2"), COPY(stream64, 256, "avx512f"),
#endif
#ifdef LIMIT_EXTRA_COPY
    COPY(extra, 1, NULL),
#endif
};
enum { copy_count = sizeof copies / sizeof *copies };

static bool usable(const struct copy *copy, size_t bytes) {
    if (copy->copy == copy_word && bytes != 8) return false;
#if defined(__x86_64__)
    if (copy->needs && strcmp(copy->needs, "avx2") == 0 && !__builtin_cpu_supports("avx2")) return false;
    if (copy->needs && strcmp(copy->needs, "avx512f") == 0 && !__builtin_cpu_supports("avx512f")) return false;
#endif
    return bytes % copy->unit == 0;
}

static void loop(const struct limit *limit, long count) {
    void (*copy)(char *, const char *, size_t) = copies[limit->design].copy;
    size_t bytes = (size_t)limit->parameter;
    for (long i = 0; i < count; i++) copy(dest, source, bytes);
}

static void loop_fenced(const struct limit *limit, long count) {
    void (*copy)(char *, const char *, size_t) = copies[limit->design].copy;
    size_t bytes = (size_t)limit->parameter;
    for (long i = 0; i < count; i++) {
        copy(dest, source, bytes);
        limit_full_fence();
    }
}

static void measure(size_t bytes, bool fenced, int batches) {
    static struct limit limits[copy_count];
    int contenders = 0;
    for (int i = 0; i < copy_count; i++) {
        if (!usable(&copies[i], bytes)) continue;
        limits[contenders++] = (struct limit){.name = fenced ? copies[i].fenced_name : copies[i].name,
                                              .parameter = (long)bytes,
                                              .loop = fenced ? loop_fenced : loop,
                                              .rate = true,
                                              .design = i};
    }
    limit_report(limits, contenders, batches, fenced ? "copy_fence_best" : "copy_best");
}

int main(int argument_count, char **arguments) {
    int batches = limit_batches(argument_count, arguments, 50);
    limit_pin(0);
    dest = limit_shared(2 * PLACE);
    source = dest + PLACE;
    for (int i = 2; i < argument_count; i++) {
        char *end;
        size_t bytes = strtoul(arguments[i], &end, 10);
        if (*end || bytes < 1 || bytes > PLACE) {
            fprintf(stderr, "%s: %s: a size must be 1 to %zu\n", arguments[0], arguments[i], PLACE);
            return 2;
        }
        measure(bytes, false, batches);
        measure(bytes, true, batches);
    }
    if (argument_count > 2) return 0;
    for (size_t bytes = 8; bytes <= (size_t)16 << 20; bytes *= 2) {
        int fewer = bytes > (size_t)1 << 20 && batches > 15 ? 15 : batches;
        measure(bytes, false, fewer);
        measure(bytes, true, fewer);
    }
    return 0;
}
