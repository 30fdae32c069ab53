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

struct reduction {
    const struct skerry_group *group;
    int power;  // members that double
    int beyond; // members behind them, partner of member r is r - power
    size_t size;
    skerry_combine combine;
};

static int pe_of(const struct reduction *how, int rank) {
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

// Combines what a partner has sent with `own`, and leaves the result in `own`.
static void take_in(const struct reduction *how, char *own, char *received, size_t count, int partner) {
    skerry_channel_await(pe_of(how, partner));
    if (partner > how->group->rank) {
        how->combine(own, received, count);
    } else {
        how->combine(received, own, count);
        skerry_copy(own, received, count * how->size);
    }
}

static void double_up(const struct reduction *how, char *dest, size_t count) {
    size_t bytes = count * how->size;
    char *slot = skerry_work;
    for (int distance = how->power / 2; distance > 0; distance /= 2, slot += SKERRY_DOUBLING_BYTES) {
        int partner = how->group->rank ^ distance;
        hand_over(slot, dest, bytes, pe_of(how, partner));
        take_in(how, dest, slot, count, partner);
    }
}

// Element at which a range is halved: double words stay whole.
static size_t middle(const struct reduction *how, size_t begin, size_t end) {
    size_t unit = how->size >= 8 ? 1 : 8 / how->size;
    return begin + (((end - begin + 1) / 2 + unit - 1) & ~(unit - 1));
}

struct range {
    size_t begin, end;
};

static void halve_and_double(const struct reduction *how, char *dest, size_t count) {
    struct range kept[ROUNDS_MAX];
    int rank = how->group->rank;
    int round = 0;
    char *slot = skerry_work;
    kept[0] = (struct range){0, count};
    for (int distance = how->power / 2; distance > 0; distance /= 2, round++) {
        struct range all = kept[round];
        size_t half = middle(how, all.begin, all.end);
        if (half > all.end) half = all.end;
        struct range low = {all.begin, half};
        struct range high = {half, all.end};
        struct range own = rank & distance ? high : low;
        struct range other = rank & distance ? low : high;
        int partner = rank ^ distance;
        hand_over(slot, dest + other.begin * how->size, (other.end - other.begin) * how->size, pe_of(how, partner));
        take_in(how, dest + own.begin * how->size, slot, own.end - own.begin, partner);
        slot += ((low.end - low.begin) * how->size + 7) & ~(size_t)7;
        kept[round + 1] = own;
    }
    for (int distance = 1; distance < how->power; distance *= 2, round--) {
        struct range own = kept[round];
        int partner = pe_of(how, rank ^ distance);
        skerry_channel_send(dest + own.begin * how->size, dest + own.begin * how->size,
                            (own.end - own.begin) * how->size, partner);
        skerry_channel_await(partner);
    }
}

static void reduce_segment(const struct reduction *how, char *dest, const char *source, size_t count) {
    size_t bytes = count * how->size;
    int rank = how->group->rank;
    if (rank >= how->power) {
        int partner = pe_of(how, rank - how->power);
        hand_over(skerry_work, source, bytes, partner);
        skerry_channel_await(partner);
        return;
    }
    if (dest != source) skerry_copy(dest, source, bytes);
    int partner = rank < how->beyond ? pe_of(how, rank + how->power) : -1;
    if (partner >= 0) {
        skerry_channel_signal(partner);
        take_in(how, dest, skerry_work, count, rank + how->power);
    }
    tell_partners(how);
    if (bytes <= SKERRY_DOUBLING_BYTES) double_up(how, dest, count);
    else halve_and_double(how, dest, count);
    if (partner >= 0) skerry_channel_send(dest, dest, bytes, partner);
}

void skerry_reduce_writing(const struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                           skerry_combine combine) {
    struct reduction how = {group, 1, 0, size, combine};
    while (how.power * 2 <= group->size) how.power *= 2;
    how.beyond = group->size - how.power;
    // The slots of a segment: halves of what is left, rounded up to double words, once a round.
    size_t most = (SKERRY_WORK_BYTES - 8 * ROUNDS_MAX) / size;
    if (most == 0) most = 1;
    for (size_t at = 0; at < count; at += most)
        reduce_segment(&how, dest + at * size, source + at * size, count - at < most ? count - at : most);
}
