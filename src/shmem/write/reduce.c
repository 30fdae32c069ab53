// SPDX-License-Identifier: BSD-3-Clause
// Reductions by stores, through the work area of each member, in segments that it can hold. Small ones by recursive doubling:
// in each round two members exchange all they have. Others by recursive halving and doubling (Rabenseifner): they exchange
// halves, then quarters, until each member has combined a slice of its own, and then hand the slices round the same way back,
// into the results. Both among the largest power of two of members; each member beyond it first gives its operand to a
// partner and gets the result from it.
//
// A member has only stored into a work area after its owner's word that nothing in it is needed any more, one word for each
// partner and segment. Operands are combined in the order of ranks, so that both members of a pair get the same bits.
#include "work.h"

#define ROUNDS_MAX 12
#define SEGMENT_BYTES ((SKERRY_WORK_BYTES - 16 * ROUNDS_MAX) / 16 * 16)

struct reduction {
    const struct skerry_group *group;
    skerry_combine combine;
    int power;  // members that double
    int beyond; // members behind them, partner of member r is r - power
    int shift;  // an element has 2^shift bytes; multiplying and dividing are dear
};

// What a member has of the result: where it is, and whether it may be changed there. The user's source may not.
struct part {
    char *at;
    bool mine;
};

static inline __attribute__((always_inline)) int pe_of(const struct reduction *how, int rank) {
    return skerry_member(how->group, rank);
}

static void tell_partners(const struct reduction *how) {
    for (int distance = how->power / 2; distance > 0; distance /= 2)
        skerry_channel_signal(pe_of(how, how->group->rank ^ distance));
}

// To a partner, who has said that its work area is free.
static void hand_over(void *there, const void *data, size_t bytes, int pe) {
    skerry_channel_await(pe);
    skerry_channel_send(there, data, bytes, pe);
}

// Combines a part with what a partner has sent of it. `dest` is where this part belongs in the end.
static void take_in(const struct reduction *how, struct part *part, char *dest, char *received, size_t bytes,
                    int partner) {
    if (partner < how->group->rank) {
        skerry_channel_await(pe_of(how, partner));
        how->combine(received, part->at, bytes >> how->shift);
        part->at = received;
    } else {
        if (!part->mine) {
            if (dest != part->at) skerry_copy(dest, part->at, bytes); // while it is on its way
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

// Bytes of the first half of so many; elements and double words stay whole. The second is never the larger one, for what is
// received of either has as much room as the first.
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

// Apart, so that small reductions do not pay for its registers.
static __attribute__((noinline)) void halve_and_double(const struct reduction *how, struct part *part, char *dest,
                                                       size_t bytes) {
    size_t begins[ROUNDS_MAX],
        ends[ROUNDS_MAX]; // of what this member had before each round of halving, and after the last
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
    tell_partners(how);
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
