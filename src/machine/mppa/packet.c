// SPDX-License-Identifier: BSD-3-Clause
// Sends packets that a core builds in its buffer in the DMA unit. Each core has a buffer of its own, so no lock is needed.
#pragma GCC optimize "O2"
#include "network.h"

typedef uint32_t __attribute__((may_alias)) single_word;
typedef uint16_t __attribute__((may_alias)) half_word;

#define STORE(TYPE, to, from) (*(volatile TYPE *)(void *)(to) = *(const TYPE *)(const void *)(from))

// Stores the last `rest` bytes of a packet, 1 to 8. All of them but the last access go to `push`, and the last one to
// `send`. `from` is a multiple of `alignment`, which is 8, 4, 2 or 1.
static inline void finish(char *push, char *send, const char *from, size_t rest, size_t alignment) {
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

// Stores the last bytes of a packet, at least 1, and sends it. `push` and `send` are the addresses of the first one.
static inline __attribute__((always_inline)) void send_rest(char *push, char *send, const char *from, size_t bytes) {
    const uintptr_t place = (uintptr_t)from;
    if ((place & 7) == 0) {
        for (; bytes > 8; bytes -= 8, push += 8, send += 8, from += 8) STORE(skerry_double_word, push, from);
        finish(push, send, from, bytes, 8);
    } else if ((place & 3) == 0) {
        for (; bytes > 8; bytes -= 4, push += 4, send += 4, from += 4) STORE(single_word, push, from);
        finish(push, send, from, bytes, 4);
    } else if ((place & 1) == 0) {
        for (; bytes > 8; bytes -= 2, push += 2, send += 2, from += 2) STORE(half_word, push, from);
        finish(push, send, from, bytes, 2);
    } else {
        for (; bytes > 8; bytes--, push++, send++, from++) STORE(uint8_t, push, from);
        finish(push, send, from, bytes, 1);
    }
}

// Sends one packet of 1 to SKERRY_MPPA_PUSH_BYTES bytes.
static inline void send_packet(char *send, const char *from, size_t bytes) {
    send_rest(skerry_push_address(), send, from, bytes);
}

void skerry_send_rest(uint32_t header, size_t before, const void *source, size_t bytes) {
    skerry_compiler_fence();
    send_rest(skerry_push_address() + before, skerry_send_end_address(header) + before, source, bytes);
}

void skerry_send_bytes(uint32_t header, uint32_t offset, const void *source, size_t bytes, bool end) {
    const char *from = source;
    char *const send = skerry_send_address(header);
    skerry_compiler_fence();
    for (; bytes > SKERRY_MPPA_PUSH_BYTES;
         bytes -= SKERRY_MPPA_PUSH_BYTES, offset += SKERRY_MPPA_PUSH_BYTES, from += SKERRY_MPPA_PUSH_BYTES) {
        skerry_packet_offset(offset);
        send_packet(send, from, SKERRY_MPPA_PUSH_BYTES);
    }
    skerry_packet_offset(offset);
    send_packet(end ? skerry_send_end_address(header) : send, from, bytes);
}
