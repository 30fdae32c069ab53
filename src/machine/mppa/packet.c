// SPDX-License-Identifier: BSD-3-Clause
// Sends packets that a core builds in its buffer in the DMA unit. Each core has a buffer of its own, so no lock is needed.
// A store to the unit takes one cycle, and a loop takes more than its loads and stores. So several values are loaded before
// the first of them is stored.
#pragma GCC optimize "O2"
#include "network.h"

typedef uint32_t __attribute__((may_alias)) single_word;
typedef uint16_t __attribute__((may_alias)) half_word;

#define STORE(TYPE, to, from) (*(volatile TYPE *)(void *)(to) = *(const TYPE *)(const void *)(from))

// Stores four values of a type.
#define STORE_FOUR(TYPE, to, from)                                                                                     \
    do {                                                                                                               \
        const TYPE *const values = (const TYPE *)(const void *)(from);                                                 \
        volatile TYPE *const places = (volatile TYPE *)(void *)(to);                                                   \
        const TYPE a = values[0], b = values[1], c = values[2], d = values[3];                                         \
        places[0] = a, places[1] = b, places[2] = c, places[3] = d;                                                    \
    } while (0)

// Stores the last `rest` bytes of a packet, 1 to 8. All of them but the last access go to `push`, and the last one to
// `send`. `from` is a multiple of `alignment`, which is 8, 4, 2 or 1.
static inline __attribute__((always_inline)) void finish(char *push, char *send, const char *from, size_t rest,
                                                         size_t alignment) {
    if (rest == 8 && alignment == 8) {
        STORE(skerry_double_word, send, from);
        return;
    }
    if (alignment >= 4) {
        if (rest > 4) STORE(single_word, push, from), push += 4, send += 4, from += 4, rest -= 4;
        if (rest == 4) {
            STORE(single_word, send, from);
            return;
        }
    }
    if (alignment >= 2) {
        for (; rest > 2; push += 2, send += 2, from += 2, rest -= 2) STORE(half_word, push, from);
        if (rest == 2) {
            STORE(half_word, send, from);
            return;
        }
    }
    for (; rest > 1; push++, send++, from++, rest--) STORE(uint8_t, push, from);
    STORE(uint8_t, send, from);
}

// The next three functions store the last bytes of a packet, at least 1, and send it. `push` and `send` are the addresses of
// the first one. `last` is where the last access begins, or the last accesses if the bytes are no multiple of the words.

static inline __attribute__((always_inline)) void send_doubles(char *push, char *send, const char *from, size_t bytes) {
    const char *const last = from + ((bytes - 1) & ~(size_t)7), *const begin = from;
    for (; last - from >= 32; push += 32, from += 32) STORE_FOUR(skerry_double_word, push, from);
    for (; from != last; push += 8, from += 8) STORE(skerry_double_word, push, from);
    finish(push, send + (last - begin), from, bytes - (size_t)(last - begin), 8);
}

static inline __attribute__((always_inline)) void send_words(char *push, char *send, const char *from, size_t bytes) {
    const char *const last = from + ((bytes - 1) & ~(size_t)3), *const begin = from;
    for (; last - from >= 16; push += 16, from += 16) STORE_FOUR(single_word, push, from);
    for (; from != last; push += 4, from += 4) STORE(single_word, push, from);
    finish(push, send + (last - begin), from, bytes - (size_t)(last - begin), 4);
}

// For a source that is not aligned to a word. Makes each word from two words of the source, and loads only words that contain
// at least one byte of the source.
static __attribute__((noinline)) void send_shifted(char *push, char *send, const char *from, size_t bytes) {
    const unsigned shift = ((uintptr_t)from & 3) * 8;
    const char *const last = from + ((bytes - 1) & ~(size_t)3), *const begin = from;
    const single_word *words = (const single_word *)((uintptr_t)from & ~(uintptr_t)3);
    single_word low = *words++;
    for (; from != last; push += 4, from += 4) {
        const single_word high = *words++;
        *(volatile single_word *)(void *)push = low >> shift | high << (32 - shift);
        low = high;
    }
    finish(push, send + (last - begin), from, bytes - (size_t)(last - begin), 1);
}

static __attribute__((noinline)) void send_rest(char *push, char *send, const char *from, size_t bytes) {
    if (((uintptr_t)from & 7) == 0) send_doubles(push, send, from, bytes);
    else if (((uintptr_t)from & 3) == 0) send_words(push, send, from, bytes);
    else send_shifted(push, send, from, bytes);
}

// Sends a packet of SKERRY_MPPA_PUSH_BYTES bytes from an address that is a multiple of 8.
static inline void send_whole(char *push, char *send, const char *from) {
    const skerry_double_word *const last = (const skerry_double_word *)(const void *)(from + 32);
    STORE_FOUR(skerry_double_word, push, from);
    const skerry_double_word a = last[0], b = last[1], c = last[2], d = last[3];
    volatile skerry_double_word *const places = (volatile skerry_double_word *)(void *)(push + 32);
    places[0] = a, places[1] = b, places[2] = c;
    *(volatile skerry_double_word *)(void *)(send + SKERRY_MPPA_PUSH_BYTES - sizeof d) = d;
}

void skerry_send_rest(char *send, size_t before, const void *source, size_t bytes) {
    skerry_compiler_fence();
    send_rest(skerry_push_address() + before, send + before, source, bytes);
}

static __attribute__((noinline)) void send_packets(uint32_t header, uint32_t offset, const char *from, size_t bytes,
                                                   bool end) {
    _Static_assert(SKERRY_MPPA_PUSH_BYTES == 64, "send_whole has 8 stores");
    char *const push = skerry_push_address(), *const send = skerry_send_address(header);
    for (; bytes > SKERRY_MPPA_PUSH_BYTES;
         bytes -= SKERRY_MPPA_PUSH_BYTES, offset += SKERRY_MPPA_PUSH_BYTES, from += SKERRY_MPPA_PUSH_BYTES) {
        skerry_packet_offset(offset);
        if (((uintptr_t)from & 7) == 0) send_whole(push, send, from);
        else send_rest(push, send, from, SKERRY_MPPA_PUSH_BYTES);
    }
    skerry_packet_offset(offset);
    send_rest(push, end ? skerry_send_end_address(header) : send, from, bytes);
}

void skerry_send_bytes(uint32_t header, uint32_t offset, const void *source, size_t bytes, bool end) {
    skerry_compiler_fence();
    if (bytes > SKERRY_MPPA_PUSH_BYTES) {
        send_packets(header, offset, source, bytes, end);
        return;
    }
    skerry_packet_offset(offset);
    send_rest(skerry_push_address(), end ? skerry_send_end_address(header) : skerry_send_address(header), source,
              bytes);
}
