// SPDX-License-Identifier: BSD-3-Clause
// Implements the contiguous copies of x86-64. skerry_copy_bytes copies blocks of 4, 8 or 16 bytes through a register.
// For every other size it calls the loop that skerry_copy_use chose before main. For blocks of some sizes the loop uses
// a string instruction or non-temporal stores. skerry-tune measures on each processor which loop and which sizes are
// best (launch/tune), and copy_table.c has the first guess.
//
// Each byte of the destination is stored exactly once. Why:
// * A PE can wait for any element of a put, and write to that element as soon as the element has its new value. A
//   second store of the element by the copy would undo that PE's write.
// * So a word of up to 8 bytes is stored whole if its size divides the destination's address and the length.
// * A usual copy loop copies the end of a block by a vector that overlaps its neighbour, and so stores some bytes
//   twice. This file does not.
// * With AVX-512 a masked vector copies the bytes at an end that do not fill a vector. This is also the fastest way,
//   because sizes that vary cause no mispredicted branch. Without AVX-512 these bytes are copied as words whose sizes
//   are powers of two.
//
// Order. On return all stores of a copy are ordered before every later store of this thread. All earlier stores of this
// thread are ordered before the copy's first store. Why:
// * Ordinary stores keep program order. A string instruction can reorder its own stores, but not against the stores of
//   other instructions.
// * Non-temporal stores can become visible before earlier ordinary stores, and after later ones.
// * So an SFENCE stands before the first non-temporal store. Without it, the data of a put after a shmem_fence could
//   become visible before the data of a put before the fence.
// * Another SFENCE stands after the last non-temporal store. Without it, a flag set after the put could be seen before
//   the put's data.
// * Nothing weaker orders non-temporal stores. The time of two SFENCEs is negligible beside that of the megabytes that
//   are copied between them.
#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "../../pe/copy_choice.h"
#include "../../pe/internal.h"
#include "features.h"

// The sanitizers must not check these accesses. They would check all bytes of a masked vector, but the instruction does
// not touch the bytes that the mask leaves out.
#define UNSANITIZED __attribute__((no_sanitize("address", "thread", "undefined")))
#define HELPER static inline UNSANITIZED __attribute__((always_inline))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx2,bmi2,avx512f,avx512bw")))

#define ALIGN_FROM 256 // bytes: longer blocks are stored by vectors that are aligned to cache lines

typedef uint16_t __attribute__((aligned(1), may_alias)) word2;
typedef uint32_t __attribute__((aligned(1), may_alias)) word4;
typedef uint64_t __attribute__((aligned(1), may_alias)) word8;
typedef __m128i_u vector16;
typedef __m256i_u vector32;
typedef __m512i_u vector64;

typedef void copy_function(char *to, const char *from, size_t bytes);

static copy_function rest_sse2, stream_sse2;

// The choice that skerry_copy_use stores before main. `rest` is the loop for all blocks that skerry_copy_bytes does not
// copy itself.
static struct {
    copy_function *rest;
    size_t string_from; // bytes: smallest block for a string instruction; blocks are below string_from + string_span
    size_t string_span;
    size_t stream_from;      // bytes: smallest block for non-temporal stores
    size_t string_alignment; // mask of source address bits that must be 0 for a fast string instruction
    copy_function *stream;   // copies whole lines by non-temporal stores
    uint64_t cache_bytes;
} choice = {rest_sse2, 0, 0, SIZE_MAX, 0, stream_sse2, UINT64_MAX};

UNSANITIZED void skerry_copy_bytes(void *dest, const void *source, size_t bytes) {
    if (bytes == 8) *(volatile word8 *)dest = *(const word8 *)source;
    else if (bytes == 4) *(volatile word4 *)dest = *(const word4 *)source;
    else if (bytes == 16) *(vector16 *)dest = *(const vector16 *)source;
    else choice.rest(dest, source, bytes);
}

// -- Pieces ------------------------------------------------------------------------------------------------------------

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

// Copies fewer than 64 bytes as words whose sizes are powers of two, the largest word first.
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

// Copies `bytes` bytes, fewer than 64, up to the next line boundary of the destination. The smallest word comes first,
// so that the destination of each word is aligned.
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

// Copies at most 64 bytes. A masked load or store is very slow if its 64 bytes extend into a page that is not present.
// This is true even if the mask leaves out all bytes of that page. So a block whose vector would cross the end of a
// page is copied word by word.
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

// -- Whole copies ------------------------------------------------------------------------------------------------------
// The compiler fences in the loops keep the compiler from turning the loops into calls of memcpy. The code need not
// execute VZEROUPPER, because the compiler adds this instruction, where it is needed, before a function returns.

HELPER size_t distance_to_line(const char *to) {
    return -(uintptr_t)to & 63;
}

// Copies whole cache lines by non-temporal stores. `to` is aligned to a line, and `bytes` is a multiple of a line.
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

// Copies all whole words of 8 bytes by a string instruction. Advances both pointers, and returns the number of bytes
// that are left, 0 to 7. A string instruction for single bytes (rep movsb) could store an element in several parts, so
// it is not used.
HELPER size_t move_string(char **to, const char **from, size_t bytes) {
    size_t words = bytes / 8;
    __asm__ volatile("rep movsq" : "+D"(*to), "+S"(*from), "+c"(words)::"memory");
    return bytes & 7;
}

// Copies the part of a block for which a string instruction or non-temporal stores are best. `*to` is aligned to a
// line. Advances both pointers, and returns the number of bytes that are left.
HELPER size_t move_bulk(char **to, const char **from, size_t bytes, copy_function *stream) {
    if (bytes >= choice.stream_from) {
        size_t lines = bytes & ~(size_t)63;
        stream(*to, *from, lines);
        *to += lines;
        *from += lines;
        return bytes - lines;
    }
    bool string = bytes - choice.string_from < choice.string_span && !((uintptr_t)*from & choice.string_alignment);
    return string ? move_string(to, from, bytes) : bytes;
}

static UNSANITIZED void rest_sse2(char *to, const char *from, size_t bytes) {
    if (bytes > ALIGN_FROM) {
        size_t head = distance_to_line(to);
        if (head) move_rising(to, from, head);
        to += head;
        from += head;
        bytes = move_bulk(&to, &from, bytes - head, stream_sse2);
    }
    for (; bytes >= 64; bytes -= 64, to += 64, from += 64) {
        move_64_sse2(to, from);
        skerry_compiler_fence();
    }
    move_falling(to, from, bytes);
}

AVX2 static UNSANITIZED void rest_avx2(char *to, const char *from, size_t bytes) {
    if (bytes > ALIGN_FROM) {
        size_t head = distance_to_line(to);
        if (head) move_rising(to, from, head);
        to += head;
        from += head;
        bytes = move_bulk(&to, &from, bytes - head, stream_avx2);
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

// Copies the ends of a block by masked vectors. Whole lines are copied by vectors of 64 bytes if `wide` is true, and by
// vectors of 32 bytes (AVX2) if not. On some processors vectors of 64 bytes are not the fastest:
// * If source and destination are aligned, they are not faster than vectors of 32 bytes.
// * If the two addresses differ modulo 64, they are up to a third slower.
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
        bytes = move_bulk(&to, &from, bytes, stream_avx2);
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

void skerry_copy_one_of_many(void *dest, const void *source, size_t bytes, uint64_t all) {
    if (all <= choice.cache_bytes || bytes <= ALIGN_FROM) {
        skerry_copy_bytes(dest, source, bytes);
        return;
    }
    char *to = dest;
    const char *from = source;
    size_t head = distance_to_line(to), lines = (bytes - head) & ~(size_t)63;
    if (head) move_rising(to, from, head);
    choice.stream(to + head, from + head, lines);
    move_falling(to + head + lines, from + head + lines, bytes - head - lines);
}

// -- Choice ------------------------------------------------------------------------------------------------------------

static const char *const loops[] = {"sse2", "avx2", "avx512", "avx512_wide"};

const char *skerry_copy_loop(unsigned index) {
    return index < sizeof loops / sizeof *loops ? loops[index] : NULL;
}

static copy_function *find_loop(const char *name) {
    if (strcmp(name, "sse2") == 0) return rest_sse2;
    if (strcmp(name, "avx2") == 0 && skerry_has_avx2()) return rest_avx2;
    if (strcmp(name, "avx512") == 0 && skerry_has_avx512()) return rest_avx512;
    if (strcmp(name, "avx512_wide") == 0 && skerry_has_avx512()) return rest_avx512_wide;
    return NULL;
}

bool skerry_copy_use(const struct skerry_copy_choice *wanted) {
    copy_function *rest = find_loop(wanted->loop);
    if (!rest) return false;
    choice.rest = rest;
    choice.string_from = wanted->string_from;
    choice.string_span = wanted->string_below > wanted->string_from ? wanted->string_below - wanted->string_from : 0;
    choice.string_alignment = wanted->string_unaligned ? 0 : 63;
    choice.stream_from = wanted->stream_from;
    choice.stream = rest == rest_sse2 ? stream_sse2 : stream_avx2;
    choice.cache_bytes = wanted->cache_bytes;
    return true;
}
