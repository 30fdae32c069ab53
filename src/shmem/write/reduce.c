// SPDX-License-Identifier: BSD-3-Clause
// Implements reductions by stores. Each member has a work area (work.h), in which it receives operands. The data is cut
// into segments that fit in a work area. The size of a segment decides which of two algorithms reduces it:
// - Small segments: recursive doubling. In each round two members exchange everything that they have combined so far.
// - Larger segments: recursive halving and doubling (Rabenseifner's algorithm). Members exchange halves, then quarters,
//   until each member has combined a slice of its own. Then members exchange the slices in the reverse order and store
//   them directly in the destinations.

// Both algorithms run among the first `power` members: the largest power of two that is not larger than the group. Each
// further member has a partner among the first members. The further member sends its operand to the partner at the
// beginning, and receives the result from the partner at the end. Operands are combined in the order of ranks, so that
// two members that exchange data compute the same bits.
#include "work.h"

#define ROUNDS_MAX 12
#define SEGMENT_BYTES ((SKERRY_WORK_BYTES - 16 * ROUNDS_MAX) / 16 * 16)

struct reduction {
    const struct skerry_group *group;
    skerry_combine combine;
    int power;  // number of members that take part in the doubling: the first `power` ranks
    int beyond; // number of further members; the partner of further member r is member r - power
    int shift;  // an element has 2^shift bytes; a shift avoids multiplications and divisions, which are slow
};

// The partial result that this member has computed so far, at address `at`. If `mine` is false, `at` points into the
// user's source, which the reduction must not change.
struct part {
    char *at;
    bool mine;
};

static inline __attribute__((always_inline)) int pe_of(const struct reduction *how, int rank) {
    return skerry_member(how->group, rank);
}

// Signals to every partner that this member's work area (where it receives operands) is free.
static void signal_partners(const struct reduction *how) {
    for (int distance = how->power / 2; distance > 0; distance /= 2)
        skerry_channel_signal(pe_of(how, how->group->rank ^ distance));
}

// Waits until a partner has signalled that its work area is free, and then sends data to that partner. A partner sends
// one such signal for each segment of the data.
static void hand_over(void *there, const void *data, size_t bytes, int pe) {
    skerry_channel_await(pe);
    skerry_channel_send(there, data, bytes, pe);
}

// Waits for a partner's data and combines it with this member's part. The operand of the lower rank is the left
// operand. `dest` is the final place of the part.
static void take_in(const struct reduction *how, struct part *part, char *dest, char *received, size_t bytes,
                    int partner) {
    if (partner < how->group->rank) {
        skerry_channel_await(pe_of(how, partner));
        how->combine(received, part->at, bytes >> how->shift);
        part->at = received;
    } else {
        if (!part->mine) {
            if (dest != part->at) skerry_copy(dest, part->at, bytes); // the partner's data arrives meanwhile
            part->at = dest;
        }
        skerry_channel_await(pe_of(how, partner));
        how->combine(part->at, received, bytes >> how->shift);
    }
    part->mine = true;
}

static void double_up(const struct reduction *how, struct part *part, char *dest, size_t bytes) {
    char *slot = skerry_work;
    for (int distance = how->power / 2; distance > 0; distance /= 2, slot += SKERRY_DOUBLING_BYTES) {
        int partner = how->group->rank ^ distance;
        hand_over(slot, part->at, bytes, pe_of(how, partner));
        take_in(how, part, dest, slot, bytes, partner);
    }
}

// Returns the size of the first half of `bytes` bytes. Neither an element nor a double word (8 bytes) is divided. The
// second half is never larger than the first. A slot is as large as the first half, and must be able to receive either
// half.
static size_t first_half(const struct reduction *how, size_t bytes) {
    size_t unit = how->shift > 3 ? (size_t)1 << how->shift : 8;
    size_t half = (((bytes + 1) >> 1) + unit - 1) & ~(unit - 1);
    return half < bytes ? half : bytes;
}

static void halve(const struct reduction *how, struct part *part, char *dest, size_t bytes, size_t *begins,
                  size_t *ends) {
    char *slot = skerry_work;
    size_t begin = 0;
    size_t end = bytes;
    for (int distance = how->power / 2; distance > 0; distance /= 2) {
        *begins++ = begin;
        *ends++ = end;
        int partner = how->group->rank ^ distance;
        size_t half = first_half(how, end - begin);
        char *high = part->at + half;
        char *there = slot;
        slot += half;
        if (partner < how->group->rank) {
            hand_over(there, part->at, half, pe_of(how, partner));
            part->at = high;
            begin += half;
        } else {
            hand_over(there, high, end - begin - half, pe_of(how, partner));
            end = begin + half;
        }
        take_in(how, part, dest + begin, there, end - begin, partner);
    }
    *begins = begin;
    *ends = end;
}

// Reduces a large segment. The function is not inlined. So small reductions do not save the registers that it uses.
static __attribute__((noinline)) void halve_and_double(const struct reduction *how, struct part *part, char *dest,
                                                       size_t bytes) {
    size_t begins[ROUNDS_MAX],
        ends[ROUNDS_MAX]; // bounds in bytes of this member's part, before each halving and after the last halving
    halve(how, part, dest, bytes, begins, ends);
    int round = 0;
    while (how->power >> round > 1) round++;
    if (part->at != dest + begins[round]) skerry_copy(dest + begins[round], part->at, ends[round] - begins[round]);
    for (int distance = 1; distance < how->power; distance *= 2, round--) {
        char *own = dest + begins[round];
        int partner = pe_of(how, how->group->rank ^ distance);
        skerry_channel_send(own, own, ends[round] - begins[round], partner);
        skerry_channel_await(partner);
    }
    part->at = dest;
}

static void reduce_segment(const struct reduction *how, char *dest, const char *source, size_t bytes) {
    int rank = how->group->rank;
    if (rank >= how->power) {
        int partner = pe_of(how, rank - how->power);
        hand_over(skerry_work, source, bytes, partner);
        skerry_channel_await(partner);
        return;
    }
    struct part part = {(char *)(uintptr_t)source, false};
    int partner = rank < how->beyond ? pe_of(how, rank + how->power) : -1;
    if (partner >= 0) {
        skerry_channel_signal(partner);
        take_in(how, &part, dest, skerry_work, bytes, rank + how->power);
    }
    signal_partners(how);
    if (bytes <= SKERRY_DOUBLING_BYTES) double_up(how, &part, dest, bytes);
    else halve_and_double(how, &part, dest, bytes);
    if (partner >= 0) skerry_channel_send(dest, part.at, bytes, partner);
    if (part.at != dest) skerry_copy(dest, part.at, bytes);
}

void skerry_reduce_writing(const struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                           skerry_combine combine) {
    struct reduction how = {group, combine, 1, 0, 0};
    while (how.power * 2 <= group->size) how.power *= 2;
    while ((size_t)1 << how.shift < size) how.shift++;
    how.beyond = group->size - how.power;
    size_t bytes = count << how.shift;
    for (size_t at = 0; at < bytes; at += SEGMENT_BYTES)
        reduce_segment(&how, dest + at, source + at, bytes - at < SEGMENT_BYTES ? bytes - at : SEGMENT_BYTES);
}
