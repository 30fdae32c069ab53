// SPDX-License-Identifier: BSD-3-Clause
// Guesses from the processor's model how memory is copied fastest. A job uses the guess if skerry-tune has not measured
// this processor. The values were found with bench/limits/copy.c, which copies between two places of one shared
// mapping:
// * values whose names begin with WIDE: on an Intel Xeon with 2 MiB of L2 and 480 MiB of L3
// * the other values: on a Zen 4 at 3.7 GHz with 32 MiB of L3
#include <cpuid.h>
#include <string.h>

#include "../../pe/copy_choice.h"
#include "features.h"

// From this size on, in bytes, a string instruction (rep movsq) is faster than 16-byte vectors.
#define STRING_FROM 1024
// On processors with fast vectors of 64 bytes (is_wide), blocks from WIDE_STRING_FROM bytes to below WIDE_STRING_BELOW
// bytes use a string instruction. If the destination of such a block is in the second-level cache, a string instruction
// does not read the cache lines that it overwrites. It is 5 to 10 % faster than vectors there. On larger blocks it is 5
// to 10 % slower.
#define WIDE_STRING_FROM 32768
#define WIDE_STRING_BELOW (2u << 20)
#define STREAM_FROM_DEFAULT (12u << 20) // bytes, if the processor does not report its cache sizes
// Smallest block, in bytes, for non-temporal stores: 7/16 of the size of the last-level cache. Source and destination
// of a larger block do not fit in this cache together. For such a block, the speed of ordinary stores falls from 42
// GB/s to below 28 GB/s. Non-temporal stores reach 28 GB/s at any size.
#define STREAM_FROM(cache_bytes) ((cache_bytes) / 16 * 7)

// Returns true if the processor reports fast string instructions (features ERMS or FSRM of CPUID).
static bool has_fast_strings(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 9 || d & 1u << 4);
}

// Returns true on processor generations in which vectors of 64 bytes do not lower the clock rate. These generations
// have the instruction set VBMI2.
static bool has_cheap_avx512(void) {
    return skerry_has_avx512() && skerry_has_vbmi2();
}

static bool is_intel(void) {
    unsigned a, b, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx && c == signature_INTEL_ecx &&
           d == signature_INTEL_edx;
}

// Returns true on processors with two properties. Vectors of 64 bytes are the fastest vectors, aligned or not. String
// instructions on cached memory are faster still.
static bool is_wide(void) {
    return has_cheap_avx512() && has_fast_strings() && is_intel();
}

// Returns the bytes of the largest data cache that this processor uses, or 0 if the processor does not report it.
// sysconf is not used, because in some virtual machines it computes the size with a wrong number of processors.
static size_t last_cache_bytes(void) {
    unsigned a, b, c, d;
    bool amd = __get_cpuid(0x80000001u, &a, &b, &c, &d) && c & 1u << 22; // topology extensions
    const unsigned leaf = amd ? 0x8000001du : 4;
    if ((unsigned)__get_cpuid_max(leaf & 0x80000000u, NULL) < leaf) return 0;
    size_t largest = 0;
    for (unsigned index = 0; index < 8; index++) {
        __cpuid_count(leaf, index, a, b, c, d);
        if (!(a & 31)) break;
        if ((a & 31) == 2) continue; // an instruction cache
        size_t ways = (b >> 22) + 1, partitions = (b >> 12 & 1023) + 1, line = (b & 4095) + 1, sets = (size_t)c + 1;
        size_t bytes = ways * partitions * line * sets;
        if (bytes > largest) largest = bytes;
    }
    return largest;
}

static void fill(struct skerry_copy_choice *choice, const char *loop, uint64_t string_from, uint64_t string_below,
                 bool string_unaligned) {
    size_t cache = last_cache_bytes();
    *choice = (struct skerry_copy_choice){.string_from = string_from,
                                          .string_below = string_below,
                                          .string_unaligned = string_unaligned,
                                          .cache_bytes = cache ? cache : UINT64_MAX,
                                          .stream_from = cache >= 1u << 20 ? STREAM_FROM(cache) : STREAM_FROM_DEFAULT};
    memcpy(choice->loop, loop, strlen(loop));
}

bool skerry_copy_named(const char *name, struct skerry_copy_choice *choice) {
    if (strcmp(name, "string") == 0)
        fill(choice, "sse2", STRING_FROM, UINT64_MAX, false); // correct, but slow, if the processor has no fast strings
    else if (strcmp(name, "avx512_wide") == 0) fill(choice, name, WIDE_STRING_FROM, WIDE_STRING_BELOW, true);
    else if (strcmp(name, "sse2") == 0 || strcmp(name, "avx2") == 0 || strcmp(name, "avx512") == 0)
        fill(choice, name, 0, 0, false);
    else return false;
    return true;
}

void skerry_copy_guess(struct skerry_copy_choice *choice) {
    const char *name = "sse2";
    if (is_wide()) name = "avx512_wide";
    else if (has_cheap_avx512()) name = "avx512";
    else if (skerry_has_avx2()) name = "avx2";
    else if (has_fast_strings()) name = "string";
    skerry_copy_named(name, choice);
}
