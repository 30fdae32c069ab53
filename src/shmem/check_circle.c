// SPDX-License-Identifier: BSD-3-Clause
// Finds PEs that wait for each other in a circle: none of them can go on. A PE that finds itself in such a circle reports the
// deadlock. Most searches follow the circle only as long as its PEs are near. A search that asks other nodes too
// costs a message for each far member that it visits. So it takes place only in long waits, and more and more rarely.
#include "check_record.h"

// Number of waiting steps (calls of skerry_pause) between two searches. The steps become longer in a long wait. So the
// searches become rarer.
#define STEPS_PER_SEARCH 16
#define MEMBERS_PER_STEP 8 // one step more for each 8 members: a search of a larger group takes longer, so it is rarer

// Time from the first search of a wait to the first search that asks other nodes. The distance of the next ones doubles up
// to the second time.
#define FAR_MILLISECONDS 250
#define FAR_MOST_MILLISECONDS 8000

// Copies the record in which PE `pe` announces a collective of the same group as `of_group`. If `of_group` is NULL, any
// group counts. Returns false if that PE has announced no such collective.
static bool arrival_of(int pe, const struct skerry_check_record *of_group, struct skerry_check_record *found) {
    if (skerry_is_near(pe)) return skerry_check_find(pe, of_group, found) >= 0;
    return skerry_check_ask_for_record(pe, of_group, found);
}

// Returns the PE that `pe` waits for in a collective, or -1 if `pe` waits for no PE. If `pe` waits for several PEs,
// this is the PE of the lowest rank in the group. Adds the serial number of the record of `pe` to *serials, and copies
// the record to *record. If `far_too` is false, also returns -1 if only another node knows the answer.
static int awaited_by(int pe, bool far_too, uint64_t *serials, struct skerry_check_record *record) {
    struct skerry_check_record arrived;
    if (!far_too && !skerry_is_near(pe)) return -1;
    if (!arrival_of(pe, 0, record)) return -1;
    *serials += record->serial;
    for (int rank = 0; rank < record->size; rank++) {
        const int member = skerry_check_member(record, rank);
        if (!far_too && !skerry_is_near(member)) return -1;
        if (!arrival_of(member, record, &arrived)) return member;
    }
    return -1;
}

// Follows the chain of waiting PEs from this PE: to the PE that it waits for, and from each PE to the PE that this PE
// waits for. If the chain leads back to this PE, returns the number of PEs in the circle, else 0. Stores the sum of the
// serial numbers on the chain in *serials.
static int circle(bool far_too, uint64_t *serials) {
    *serials = 0;
    struct skerry_check_record record;
    int pe = skerry_my_pe();
    for (int length = 1; length <= skerry_pe_count(); length++) {
        pe = awaited_by(pe, far_too, serials, &record);
        if (pe < 0) return 0;
        if (pe == skerry_my_pe()) return length;
    }
    return 0;
}

static SKERRY_NORETURN void fail_circle(const struct skerry_check_record *mine) {
    uint64_t unused = 0;
    struct skerry_check_record theirs;
    int awaited = awaited_by(skerry_my_pe(), true, &unused, &theirs);
    int next = awaited_by(awaited, true, &unused, &theirs);
    struct skerry_check_text text = {.length = 0};
    skerry_check_append(&text, SKERRY_CHECK_GROUP_TEXT);
    skerry_check_append(&text, ": PE # never arrives, because it waits for PE # in ");
    skerry_check_append(&text, theirs.routine);
    skerry_check_append(&text, " ");
    skerry_check_append(&text, SKERRY_CHECK_GROUP_TEXT);
    skerry_check_fail(
        mine->routine, text.at,
        (long[]){mine->size, mine->start, mine->stride, awaited, next, theirs.size, theirs.start, theirs.stride}, 8);
}

// Reports a deadlock if this PE is in a circle of PEs that wait for each other. Each PE of a circle stays in its
// collective until the next PE of the circle arrives. If all PEs of a circle wait at the same moment, they wait for
// ever. One search cannot find such a moment, because a search visits the PEs one after the other. Two searches can:
// - Both searches must find a circle of the same length with the same sum of serial numbers.
// - Then no PE of the circle began another collective between the searches.
// - So all PEs of the circle waited when the first search ended.
static void search_for_circle(const struct skerry_check_record *mine, bool far_too) {
    uint64_t first, second;
    // With SHMEM_THREAD_MULTIPLE another thread of an awaited PE can still arrive, so a circle is no deadlock.
    if (skerry_check_threads_may_run_at_once()) return;
    int length = circle(far_too, &first);
    if (length && circle(far_too, &second) == length && first == second) fail_circle(mine);
}

// Returns true if it is time for a search that asks other nodes.
static bool is_time_to_ask(struct skerry_check_searches *searches) {
    if (!skerry_has_far_pes()) return false;
    const uint64_t now = skerry_ticks(), millisecond = skerry_ticks_per_second() / 1000;
    const bool is_first = searches->delay == 0;
    if (!is_first && now < searches->next) return false;
    searches->delay = is_first ? FAR_MILLISECONDS * millisecond : 2 * searches->delay;
    if (searches->delay > FAR_MOST_MILLISECONDS * millisecond) searches->delay = FAR_MOST_MILLISECONDS * millisecond;
    searches->next = now + searches->delay;
    return !is_first;
}

void skerry_check_search_sometimes(struct skerry_check_searches *searches, const struct skerry_check_record *mine) {
    if (++searches->steps < STEPS_PER_SEARCH + mine->size / MEMBERS_PER_STEP) return;
    searches->steps = 0;
    search_for_circle(mine, is_time_to_ask(searches));
}
