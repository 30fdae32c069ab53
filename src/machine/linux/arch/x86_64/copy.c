// SPDX-License-Identifier: BSD-3-Clause
// The contiguous copy of x86-64. A word of 4, 8 or 16 bytes moves through a register right here; every other size jumps
// to the copy that skerry_copy_choose picked for this processor before main. bench/limits/copy.c measured what stands
// here.
//
// Each byte of the destination is stored exactly once, and a word of up to 8 bytes whose size divides the destination's
// address and the length is stored whole. A PE may wait for any element of a put, and once it has seen it write to that
// element: a copy that stores twice where two of its vectors overlap, as most do, could undo that write. So the ends of
// a copy that are no whole vector move under a mask (AVX-512), which is also the fastest way because sizes that vary
// mispredict no branch, or as words of falling powers of two.
//
// Order. On return all stores of a copy are ordered before every later store of this thread, and before its first store
// all earlier ones. Ordinary stores keep program order. A string instruction may reorder its own stores among
// themselves only, not against those of other instructions. Non-temporal stores pass ordinary ones in both directions,
// so an SFENCE stands before the first of them (or data put after a shmem_fence could be seen before data put ahead of
// it) and another behind the last (or a flag set after the put could be seen before its data). Nothing weaker orders
// them; two SFENCEs cost nothing next to the megabytes between them.
#include "copy.h"

#include <cpuid.h>
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../internal.h"

// The sanitizers must not see these accesses: what a mask leaves out is touched in name only.
#define UNSANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))
#define HELPER static inline UNSANITIZED __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx2,bmi2,avx512f,avx512bw")))

// Measured on a Zen 4 at 3.7 GHz with 32 MiB of L3, between two places of one shared mapping (bench/limits/copy.c); what is
// called wide on an Intel Xeon with 2 MiB of L2 and 480 MiB of L3.
#define ALIGN_FROM 256   // above it, vectors are stored on their own boundaries
#define STRING_FROM 1024 // from it on, a string instruction beats 16-byte vectors; there it never beats wider ones
// In the second cache a string instruction need not read what it overwrites: 5 to 10 %. Beyond it is slower by as much.
#define WIDE_STRING_FROM 32768
#define WIDE_STRING_BELOW (2u << 20)
#define STREAM_FROM_DEFAULT (12u << 20) // when the processor does not tell its caches
// From 7/16 of the last cache on, source and destination no longer fit it together: ordinary stores fall from 42 GB/s
// below the 28 GB/s that non-temporal ones give at any size.
#define STREAM_FROM(cache_bytes) ((cache_bytes) / 16 * 7)

typedef uint16_t __attribute__((aligned(1), may_alias)) word2;
typedef uint32_t __attribute__((aligned(1), may_alias)) word4;
typedef uint64_t __attribute__((aligned(1), may_alias)) word8;
typedef __m128i_u vector16;
typedef __m256i_u vector32;
typedef __m512i_u vector64;

typedef void copy_function(char *to, const char *from, size_t bytes);

static copy_function rest_sse2;

// Written by whoever chooses, before main.
static struct {
    copy_function *rest;
    size_t stream_from;
} choice = {rest_sse2, STREAM_FROM_DEFAULT};

UNSANITIZED void skerry_copy_bytes(void *dest, const void *source, size_t bytes) {
    if (bytes == 8) *(volatile word8 *)dest = *(const word8 *)source;
    else if (bytes == 4) *(volatile word4 *)dest = *(const word4 *)source;
    else if (bytes == 16) *(vector16 *)dest = *(const vector16 *)source;
    else choice.rest(dest, source, bytes);
}

// -- Pieces ---------------------------------------------------------------------------------------------------------

HELPER void move_32_sse2(char *to, const char *from) {
    vector16 first = *(const vector16 *)from;
    vector16 second = *(const vector16 *)(from + 16);
    *(vector16 *)to = first;
    *(vector16 *)(to + 16) = second;
}

HELPER void move_64_sse2(char *to, const char *from) {
    vector16 first = *(const vector16 *)from;
    vector16 second = *(const vector16 *)(from + 16);
    vector16 third = *(const vector16 *)(from + 32);
    vector16 fourth = *(const vector16 *)(from + 48);
    *(vector16 *)to = first;
    *(vector16 *)(to + 16) = second;
    *(vector16 *)(to + 32) = third;
    *(vector16 *)(to + 48) = fourth;
}

AVX512 HELPER void move_256_avx512(char *to, const char *from) {
    vector64 first = *(const vector64 *)from;
    vector64 second = *(const vector64 *)(from + 64);
    vector64 third = *(const vector64 *)(from + 128);
    vector64 fourth = *(const vector64 *)(from + 192);
    *(vector64 *)to = first;
    *(vector64 *)(to + 64) = second;
    *(vector64 *)(to + 128) = third;
    *(vector64 *)(to + 192) = fourth;
}

AVX2 HELPER void move_64_avx2(char *to, const char *from) {
    vector32 first = *(const vector32 *)from;
    vector32 second = *(const vector32 *)(from + 32);
    *(vector32 *)to = first;
    *(vector32 *)(to + 32) = second;
}

AVX2 HELPER void move_128_avx2(char *to, const char *from) {
    vector32 first = *(const vector32 *)from;
    vector32 second = *(const vector32 *)(from + 32);
    vector32 third = *(const vector32 *)(from + 64);
    vector32 fourth = *(const vector32 *)(from + 96);
    *(vector32 *)to = first;
    *(vector32 *)(to + 32) = second;
    *(vector32 *)(to + 64) = third;
    *(vector32 *)(to + 96) = fourth;
}

// Moves `bytes` < 64, largest word first.
HELPER void move_falling(char *to, const char *from, size_t bytes) {
    if (bytes & 32) {
        move_32_sse2(to, from);
        to += 32;
        from += 32;
    }
    if (bytes & 16) {
        *(vector16 *)to = *(const vector16 *)from;
        to += 16;
        from += 16;
    }
    if (!(bytes & 15)) return;
    if (bytes & 8) {
        *(volatile word8 *)to = *(const word8 *)from;
        to += 8;
        from += 8;
    }
    if (!(bytes & 7)) return;
    if (bytes & 4) {
        *(volatile word4 *)to = *(const word4 *)from;
        to += 4;
        from += 4;
    }
    if (bytes & 2) {
        *(volatile word2 *)to = *(const word2 *)from;
        to += 2;
        from += 2;
    }
    if (bytes & 1) *(volatile char *)to = *from;
}

// Moves the `bytes` < 64 that `to` lacks to the next line, smallest word first, so that each is aligned.
HELPER void move_rising(char *to, const char *from, size_t bytes) {
    if (bytes & 1) *(volatile char *)to = *from;
    size_t at = bytes & 1;
    if (bytes & 2) *(volatile word2 *)(to + at) = *(const word2 *)(from + at);
    at = bytes & 3;
    if (bytes & 4) *(volatile word4 *)(to + at) = *(const word4 *)(from + at);
    at = bytes & 7;
    if (bytes & 8) *(volatile word8 *)(to + at) = *(const word8 *)(from + at);
    at = bytes & 15;
    if (bytes & 16) *(vector16 *)(to + at) = *(const vector16 *)(from + at);
    at = bytes & 31;
    if (bytes & 32) move_32_sse2(to + at, from + at);
}

// Moves `bytes` <= 64. A page that the vector touches and the mask leaves out costs a trap into microcode when it is
// absent; near the end of a page words do it.
AVX512 HELPER void move_masked(char *to, const char *from, size_t bytes) {
    uintptr_t dest = (uintptr_t)to, source = (uintptr_t)from;
    bool next_page = ((((dest + 63) ^ dest) | ((source + 63) ^ source)) & 4096) != 0;
    if (__builtin_expect(next_page && bytes < 64, 0)) {
        move_falling(to, from, bytes);
        return;
    }
    __mmask64 mask = _bzhi_u64(~UINT64_C(0), (unsigned)bytes);
    _mm512_mask_storeu_epi8(to, mask, _mm512_maskz_loadu_epi8(mask, from));
}

// -- Whole copies ---------------------------------------------------------------------------------------------------
// The compiler fences keep the loops from becoming calls of memcpy. The compiler itself clears the upper halves of
// the vector registers before each function returns.

HELPER size_t distance_to_line(const char *to) {
    return -(uintptr_t)to & 63;
}

// Non-temporal copies of whole lines to an aligned destination.
static UNSANITIZED void stream_sse2(char *to, const char *from, size_t bytes) {
    _mm_sfence();
    for (const char *end = from + bytes; from != end; from += 64, to += 64) {
        vector16 first = *(const vector16 *)from;
        vector16 second = *(const vector16 *)(from + 16);
        vector16 third = *(const vector16 *)(from + 32);
        vector16 fourth = *(const vector16 *)(from + 48);
        _mm_stream_si128((__m128i *)to, first);
        _mm_stream_si128((__m128i *)(to + 16), second);
        _mm_stream_si128((__m128i *)(to + 32), third);
        _mm_stream_si128((__m128i *)(to + 48), fourth);
        skerry_compiler_fence();
    }
    _mm_sfence();
}

AVX2 static UNSANITIZED void stream_avx2(char *to, const char *from, size_t bytes) {
    _mm_sfence();
    for (const char *end = from + bytes; from != end; from += 64, to += 64) {
        vector32 first = *(const vector32 *)from;
        vector32 second = *(const vector32 *)(from + 32);
        _mm256_stream_si256((__m256i *)to, first);
        _mm256_stream_si256((__m256i *)(to + 32), second);
        skerry_compiler_fence();
    }
    _mm_sfence();
}

// Moves all whole words, and returns how many bytes are left: not bytes, because a byte string instruction could tear elements.
HELPER size_t move_string(char **to, const char **from, size_t bytes) {
    size_t words = bytes / 8;
    __asm__ volatile("rep movsq" : "+D"(*to), "+S"(*from), "+c"(words)::"memory");
    return bytes & 7;
}

HELPER void rest_narrow(char *to, const char *from, size_t bytes, bool string) {
    if (bytes > ALIGN_FROM) {
        size_t head = distance_to_line(to);
        if (head) move_rising(to, from, head);
        to += head;
        from += head;
        bytes -= head;
        if (bytes >= choice.stream_from) {
            size_t lines = bytes & ~(size_t)63;
            stream_sse2(to, from, lines);
            to += lines;
            from += lines;
            bytes -= lines;
        } else if (string && bytes >= STRING_FROM && distance_to_line(from) == 0) { // else it can crawl
            bytes = move_string(&to, &from, bytes);
        }
    }
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
        move_64_sse2(to, from);
        skerry_compiler_fence();
    }
    move_falling(to, from, bytes);
}

static UNSANITIZED void rest_sse2(char *to, const char *from, size_t bytes) {
    rest_narrow(to, from, bytes, false);
}

static UNSANITIZED void rest_string(char *to, const char *from, size_t bytes) {
    rest_narrow(to, from, bytes, true);
}

AVX2 static UNSANITIZED void rest_avx2(char *to, const char *from, size_t bytes) {
    if (bytes > ALIGN_FROM) {
        size_t head = distance_to_line(to);
        if (head) move_rising(to, from, head);
        to += head;
        from += head;
        bytes -= head;
        if (bytes >= choice.stream_from) {
            size_t lines = bytes & ~(size_t)63;
            stream_avx2(to, from, lines);
            to += lines;
            from += lines;
            bytes -= lines;
        }
    }
    for (; bytes >= 128; bytes -= 128, to += 128, from += 128) {
        move_128_avx2(to, from);
        skerry_compiler_fence();
    }
    if (bytes & 64) {
        move_64_avx2(to, from);
        to += 64;
        from += 64;
    }
    move_falling(to, from, bytes & 63);
}

// `wide`: for processors with which vectors of 64 bytes and strings are the fastest. For others the loop is that of AVX2: there vectors
// of 64 bytes gain nothing on aligned data and lose up to a third where source and destination differ modulo 64.
AVX512 HELPER void rest_masked(char *to, const char *from, size_t bytes, bool wide) {
    if (bytes <= 64) {
        move_masked(to, from, bytes);
        return;
    }
    if (bytes <= 128) {
        *(vector64 *)to = *(const vector64 *)from;
        move_masked(to + 64, from + 64, bytes - 64);
        return;
    }
    if (bytes > ALIGN_FROM) {
        size_t head = distance_to_line(to);
        if (head) {
            move_masked(to, from, head);
            to += head;
            from += head;
            bytes -= head;
        }
        if (bytes >= choice.stream_from) {
            size_t lines = bytes & ~(size_t)63;
            stream_avx2(to, from, lines);
            to += lines;
            from += lines;
            bytes -= lines;
        } else if (wide && bytes >= WIDE_STRING_FROM && bytes < WIDE_STRING_BELOW) {
            bytes = move_string(&to, &from, bytes);
        }
    }
    for (; wide && bytes >= 256; bytes -= 256, to += 256, from += 256) {
        move_256_avx512(to, from);
        skerry_compiler_fence();
    }
    for (; bytes >= 128; bytes -= 128, to += 128, from += 128) {
        move_128_avx2(to, from);
        skerry_compiler_fence();
    }
    if (bytes > 64) {
        move_64_avx2(to, from);
        to += 64;
        from += 64;
        bytes -= 64;
    }
    if (bytes) move_masked(to, from, bytes);
}

AVX512 static UNSANITIZED void rest_avx512(char *to, const char *from, size_t bytes) {
    rest_masked(to, from, bytes, false);
}

AVX512 static UNSANITIZED void rest_avx512_wide(char *to, const char *from, size_t bytes) {
    rest_masked(to, from, bytes, true);
}

// -- Choice ---------------------------------------------------------------------------------------------------------

static bool has_fast_strings(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 9 || d & 1u << 4); // ERMS, FSRM
}

// VBMI2 stands for the generations in which vectors of 64 bytes do not lower the clock.
static bool has_avx512(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi2");
}

// Where vectors of 64 bytes are the fastest, aligned or not, and strings of cached memory faster still.
static bool is_wide(void) {
    return has_avx512() && has_fast_strings() && __builtin_cpu_is("intel");
}

// Bytes of the largest data cache that this processor uses; 0 when it does not tell. sysconf is no substitute: in some
// virtual machines it multiplies by a wrong count of processors.
static size_t last_cache_bytes(void) {
    unsigned a, b, c, d;
    bool amd = __get_cpuid(0x80000001u, &a, &b, &c, &d) && c & 1u << 22; // topology extensions
    size_t largest = 0;
    for (unsigned index = 0; index < 8; index++) {
        if (!__get_cpuid_count(amd ? 0x8000001du : 4, index, &a, &b, &c, &d) || !(a & 31)) break;
        if ((a & 31) == 2) continue; // instructions
        size_t ways = (b >> 22) + 1, partitions = (b >> 12 & 1023) + 1, line = (b & 4095) + 1, sets = (size_t)c + 1;
        size_t bytes = ways * partitions * line * sets;
        if (bytes > largest) largest = bytes;
    }
    return largest;
}

bool skerry_copy_use(const char *name, size_t stream_from) {
    copy_function *rest = NULL;
    __builtin_cpu_init();
    if (strcmp(name, "sse2") == 0) rest = rest_sse2;
    if (strcmp(name, "string") == 0) rest = rest_string; // right without ERMS too, if slow
    if (strcmp(name, "avx2") == 0 && __builtin_cpu_supports("avx2")) rest = rest_avx2;
    if (strcmp(name, "avx512") == 0 && has_avx512()) rest = rest_avx512;
    if (strcmp(name, "avx512_wide") == 0 && has_avx512()) rest = rest_avx512_wide;
    if (!rest) return false;
    choice.rest = rest;
    choice.stream_from = stream_from;
    return true;
}

size_t skerry_copy_stream_from(void) {
    return choice.stream_from;
}

void skerry_copy_choose(void) {
    __builtin_cpu_init();
    size_t cache = last_cache_bytes();
    size_t stream_from = cache >= 1u << 20 ? STREAM_FROM(cache) : STREAM_FROM_DEFAULT;
    const char *wanted = getenv("SKERRY_COPY");
    if (wanted && *wanted) {
        if (!skerry_copy_use(wanted, stream_from))
            skerry_refuse(
                "SKERRY_COPY=%s: must be sse2, string, avx2, avx512 or avx512_wide, and what this processor has",
                wanted);
        return;
    }
    if (skerry_copy_use(is_wide() ? "avx512_wide" : "avx512", stream_from) || skerry_copy_use("avx2", stream_from))
        return;
    skerry_copy_use(has_fast_strings() ? "string" : "sse2", stream_from);
}
