// SPDX-License-Identifier: BSD-3-Clause
// Implements reductions. Two algorithms:
// - A large reduction is cut into slices, one for each member. After a barrier each member combines its slice of all
//   sources, in the order of ranks. The member stores the result in all destinations. Only this member accesses the
//   slice. So the destination can be the source, and all members get the same bits.
// - A small reduction sends its operands as messages with a sequence number (../primitive/exchange.h).
#include "../primitive/exchange.h"
#include "collective.h"

#define EXCHANGE_MEMBERS 8 // largest group in which operands are sent as messages
// A slice is a whole number of cache lines. If the destination begins at a line, two members do not write to the same
// line. A member combines its slice in chunks of at most CHUNK_BYTES: the intermediate result of a chunk is on the
// stack.
#define CHUNK_BYTES SKERRY_CHUNK_BYTES

static void reduce_chunk(const struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                         skerry_combine combine) {
    _Alignas(SKERRY_LINE) char accumulate[CHUNK_BYTES];
    size_t bytes = count * size;
    skerry_copy(accumulate, skerry_global(source, skerry_member(group, 0)), bytes);
    for (int i = 1; i < group->size; i++) combine(accumulate, skerry_global(source, skerry_member(group, i)), count);
    for (int i = 0; i < group->size; i++) {
        int to = skerry_wrapped(group->rank + i, group->size);
        skerry_copy(skerry_global(dest, skerry_member(group, to)), accumulate, bytes);
    }
}

// Returns the number of elements of a slice: an equal share for each member, rounded up to whole cache lines.
static size_t slice_elements(const struct skerry_group *group, size_t count, size_t size) {
    size_t line = size >= SKERRY_LINE ? 1 : SKERRY_LINE / size;
    size_t share = (count + (unsigned)group->size - 1) / (unsigned)group->size;
    return (share + line - 1) / line * line;
}

static void reduce_slices(struct skerry_group *group, char *dest, const char *source, size_t count, size_t size,
                          skerry_combine combine) {
    skerry_barrier(group); // after the barrier every member's source is ready
    size_t slice = slice_elements(group, count, size);
    size_t begin = slice * (unsigned)group->rank;
    size_t end = begin + slice < count ? begin + slice : count;
    for (size_t at = begin; at < end; at += CHUNK_BYTES / size) {
        size_t left = end - at < CHUNK_BYTES / size ? end - at : CHUNK_BYTES / size;
        reduce_chunk(group, dest + at * size, source + at * size, left, size, combine);
    }
    skerry_barrier(group); // after the barrier every slice is written, and no source is read any more
}

static void reduce_by_exchange(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                               skerry_combine combine) {
    _Alignas(16) char accumulate[SKERRY_CELL_BYTES];
    skerry_word sequence = ++group->exchanges;
    for (int i = 1; i < group->size; i++)
        skerry_cell_send(group, skerry_wrapped(group->rank + i, group->size), sequence, source, count * size);
    for (int i = 0; i < group->size; i++) {
        const void *operand = i == group->rank ? source : skerry_cell_receive(group, i, sequence);
        if (i == 0) skerry_copy(accumulate, operand, count * size);
        else combine(accumulate, operand, count);
    }
    skerry_copy(dest, accumulate, count * size);
}

// Combines the values of two members into `accumulate`. The value of the lower rank is the left operand. So the two
// members that exchange their values compute the same bits, even if the order of the operands changes the result.
// Examples are a maximum of +0 and -0, and any operation on two NaNs.
static void combine_in_order(char *accumulate, const void *received, bool received_is_lower, size_t count, size_t bytes,
                             skerry_combine combine) {
    if (!received_is_lower) {
        combine(accumulate, received, count);
        return;
    }
    _Alignas(16) char left[SKERRY_CELL_BYTES];
    skerry_copy(left, received, bytes);
    combine(left, accumulate, count);
    skerry_copy(accumulate, left, bytes);
}

// Reduces by recursive doubling among the first `power` members; `power` is the largest power of two that is not larger
// than the group. Each further member has a partner among the first members. The further member sends its operand to
// the partner at the beginning, and receives the result from the partner at the end. A member sends at most one message
// to each other member: a cell (memory for one message) is filled at most once.
static void reduce_by_doubling(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                               skerry_combine combine) {
    _Alignas(16) char accumulate[SKERRY_CELL_BYTES];
    size_t bytes = count * size;
    skerry_word sequence = ++group->exchanges;
    int power = 1;
    while (power * 2 <= group->size) power *= 2;
    int beyond = group->size - power; // members with ranks from `power` on; the partner of member r is member r - power
    skerry_copy(accumulate, source, bytes);
    if (group->rank >= power) {
        skerry_cell_send(group, group->rank - power, sequence, accumulate, bytes);
        skerry_copy(dest, skerry_cell_receive(group, group->rank - power, sequence), bytes);
        return;
    }
    if (group->rank < beyond) combine(accumulate, skerry_cell_receive(group, group->rank + power, sequence), count);
    for (int distance = power / 2; distance > 0; distance /= 2) {
        int partner = group->rank ^ distance;
        skerry_cell_send(group, partner, sequence, accumulate, bytes);
        const void *received = skerry_cell_receive(group, partner, sequence);
        combine_in_order(accumulate, received, partner < group->rank, count, bytes, combine);
    }
    if (group->rank < beyond) skerry_cell_send(group, group->rank + power, sequence, accumulate, bytes);
    skerry_copy(dest, accumulate, bytes);
}

// Arguments of a reduction in an oversubscribed job (more PEs are awake than there are processors). Every member stores
// its operand in member 0's memory. The last member to arrive at the barrier combines the operands. So a member waits
// only once, in the barrier.
struct deposit {
    struct skerry_group *group;
    skerry_word sequence;
    size_t count;
    size_t size;
    skerry_combine combine;
};

static void *at_home(const struct deposit *deposit, void *own) {
    return skerry_global(own, skerry_member(deposit->group, 0));
}

static void combine_deposits(void *argument) {
    const struct deposit *deposit = argument;
    const struct skerry_cell *cells = at_home(deposit, skerry_cell_of(deposit->group, 0, deposit->sequence));
    void *result = at_home(deposit, deposit->group->area->result[deposit->sequence & 1].payload);
    skerry_copy(result, cells[0].payload, deposit->count * deposit->size);
    for (int i = 1; i < deposit->group->size; i++) deposit->combine(result, cells[i].payload, deposit->count);
}

static void reduce_by_deposit(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                              skerry_combine combine) {
    struct deposit deposit = {group, ++group->exchanges, count, size, combine};
    skerry_copy(at_home(&deposit, skerry_cell_of(group, group->rank, deposit.sequence)->payload), source, count * size);
    skerry_barrier_with(group, combine_deposits, &deposit);
    skerry_copy(dest, at_home(&deposit, group->area->result[deposit.sequence & 1].payload), count * size);
}

void skerry_reduce(struct skerry_group *group, void *dest, const void *source, size_t count, size_t size,
                   skerry_combine combine) {
    if (SKERRY_CHANNELS) {
        skerry_reduce_writing(group, dest, source, count, size, combine);
        return;
    }
    if (SKERRY_LEVELS(group)) {
        skerry_reduce_levels(group, dest, source, count, size, combine);
        return;
    }
    bool small = group->area && count * size <= SKERRY_CELL_BYTES;
    if (group->size == 1) {
        if (dest != source) skerry_copy(dest, source, count * size);
    } else if (!small) {
        reduce_slices(group, dest, source, count, size, combine);
    } else if (skerry_is_oversubscribed()) {
        reduce_by_deposit(group, dest, source, count, size, combine);
    } else if (group->size <= EXCHANGE_MEMBERS) {
        reduce_by_exchange(group, dest, source, count, size, combine);
    } else {
        reduce_by_doubling(group, dest, source, count, size, combine);
    }
}
