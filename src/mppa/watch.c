// SPDX-License-Identifier: BSD-3-Clause
// Finds waits for programs that have ended or were never started. Only the master starts programs, so such a wait can
// never end if the master waits too. The program that waits finds this out itself, by words of the board and by the set of
// programs that run. test/model/mppa_watch.pml checks the first rule and its order of loads:
// * The master waits for the end of the program that waits here (mppa_power_base_waitpid). It starts no program until this
//   one has ended, so after this load the set of programs that run can only lose programs. After a load of this set,
//   everything that a missing program has done is visible. So the condition that the caller then polls once more cannot
//   become true later.
// * The master waits for anything else, for example for a word that some cluster changes, and each program that runs waits
//   for a missing program. A bit that says so is possibly old: its program has not seen yet that its wait has ended. So
//   nothing of this may change for some time, which is long compared with a poll.
//
// On the chip a wait looks for this only in its first LOCAL_MILLISECONDS. Later it sends nothing, so that
// skerry-sim finds that nobody can go on, also if all programs run.
//
// The master waits only if its one thread that starts programs waits. If several threads of the master start programs, no wait
// is found. If none has started a program yet, any thread can be the first one. Then only a thread that is alone is taken for it:
// as long as it waits, nobody can start a program or a thread.
#include "internal.h"

#define POLLS_BETWEEN_CHECKS (SKERRY_PRIVATE_MEMORY ? 8 : 32) // on the chip a check takes as long as three polls
#define POLLS_OF_OWN_WORD 4096                                // between checks: the word can be polled in a few cycles
#define LOCAL_MILLISECONDS (3 * MILLISECONDS_UNCHANGED)
#define MILLISECONDS_UNCHANGED (SKERRY_PRIVATE_MEMORY ? 1000 : 2)
#define COUNT_SHIFT 18 // bits of PEs, then the number of the wait, then SKERRY_MPPA_ANYTHING
#define COUNT_MASK 0xfffu

static uintptr_t starter; // the thread of the master that starts programs
#define NOBODY 0
#define SEVERAL UINTPTR_MAX

static uint32_t load(const uint32_t *word) {
    return skerry_atomic_load_32(word, SKERRY_MPPA_MASTER);
}

static bool is_starter(void) {
    return __atomic_load_n(&starter, __ATOMIC_RELAXED) == skerry_thread_identity();
}

static bool is_alone_before_first(void) {
    return skerry_my_pe() == SKERRY_MPPA_MASTER && __atomic_load_n(&starter, __ATOMIC_RELAXED) == NOBODY &&
           skerry_is_only_thread();
}

void skerry_mppa_note_starter(void) {
    uintptr_t before = NOBODY;
    const uintptr_t own = skerry_thread_identity();
    if (__atomic_compare_exchange_n(&starter, &before, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) return;
    if (before != own) __atomic_store_n(&starter, SEVERAL, __ATOMIC_RELAXED);
}

// Only the thread that starts programs stores to `master_wait`.
void skerry_mppa_begin_master_wait(uint32_t target) {
    static uint32_t waits;
    if (!is_starter()) return;
    const uint32_t number = (++waits & COUNT_MASK) << COUNT_SHIFT;
    skerry_atomic_store_32(&skerry_mppa_board()->master_wait, target | number, SKERRY_MPPA_MASTER);
}

void skerry_mppa_end_master_wait(void) {
    if (is_starter()) skerry_atomic_store_32(&skerry_mppa_board()->master_wait, 0, SKERRY_MPPA_MASTER);
}

uint32_t skerry_mppa_count_bits(uint32_t set) {
    uint32_t count = 0;
    for (; set != 0; set &= set - 1) count++;
    return count;
}

static void mark(struct skerry_mppa_wait *wait, uint32_t own) {
    wait->is_marked = true;
    skerry_atomic_fetch_or_32(&skerry_mppa_board()->stuck, own, SKERRY_MPPA_MASTER);
}

void skerry_mppa_end_wait(struct skerry_mppa_wait *wait) {
    if (wait->is_marked)
        skerry_atomic_fetch_and_32(&skerry_mppa_board()->stuck, ~(1u << skerry_my_pe()), SKERRY_MPPA_MASTER);
    wait->is_marked = false;
}

// The second rule.
static bool have_all_waited(struct skerry_mppa_wait *wait, uint32_t master, uint32_t running) {
    const bool all_wait = master != 0 && (running & ~load(&skerry_mppa_board()->stuck)) == 0;
    const uint64_t now = skerry_ticks();
    if (!all_wait || master != wait->master) wait->since = now;
    wait->master = master;
    return now - wait->since >= skerry_ticks_per_second() / 1000 * MILLISECONDS_UNCHANGED;
}

// Returns true if the wait looks for missing programs only for some time, and this time is over.
static bool is_quiet(struct skerry_mppa_wait *wait) {
    if (!wait->is_local && !wait->is_bounded) return false;
    const uint64_t now = skerry_ticks();
    if (wait->begin == 0) wait->begin = now;
    wait->is_quiet = now - wait->begin >= skerry_ticks_per_second() / 1000 * LOCAL_MILLISECONDS;
    if (wait->is_quiet) skerry_mppa_end_wait(wait);
    return wait->is_quiet;
}

bool skerry_mppa_is_lost(struct skerry_mppa_wait *wait) {
    if (wait->is_quiet) return false; // changes nothing, also no count of polls
    if (++wait->polls % (wait->is_local ? POLLS_OF_OWN_WORD : POLLS_BETWEEN_CHECKS) != 0 || is_quiet(wait))
        return false;
    const uint32_t own = 1u << skerry_my_pe(), master = load(&skerry_mppa_board()->master_wait);
    const uint32_t running = skerry_programs_running();
    wait->missing = wait->pes & ~running & ~(1u << SKERRY_MPPA_MASTER);
    if (skerry_mppa_count_bits(wait->missing) <= wait->spare) {
        skerry_mppa_end_wait(wait);
        wait->since = skerry_ticks();
        return false;
    }
    if (is_starter() || is_alone_before_first() || master & own) return true;
    mark(wait, own);
    return have_all_waited(wait, master, running);
}

void skerry_mppa_stop_lost(const char *routine, const struct skerry_mppa_wait *wait) {
    int pe = 0;
    while (!(wait->missing >> pe & 1)) pe++;
    skerry_fail_values(routine,
                       "waits for cluster #, whose program has ended or was never started, while the master waits too",
                       (long[]){skerry_mppa_server_of(pe)}, 1);
}
