// SPDX-License-Identifier: BSD-3-Clause
// A word that stays satisfied does not hide the others: a series of calls of each any form returns every satisfied index,
// although the caller masks nothing.
// pes: 1 2
#include "test.h"

#define WORDS 9
#define CALLS 200

static long words[WORDS];
static const long values[WORDS] = {1, 1, 1, 1, 1, 1, 1, 1, 1};

static size_t call(int form) {
    switch (form) {
    case 0: return shmem_long_wait_until_any(words, WORDS, NULL, SHMEM_CMP_EQ, 1);
    case 1: return shmem_long_test_any(words, WORDS, NULL, SHMEM_CMP_EQ, 1);
    case 2: return shmem_long_wait_until_any_vector(words, WORDS, NULL, SHMEM_CMP_EQ, values);
    default: return shmem_long_test_any_vector(words, WORDS, NULL, SHMEM_CMP_EQ, values);
    }
}

static void require_all_seen(int form, unsigned satisfied) {
    unsigned seen = 0;
    for (int i = 0; i < CALLS; i++) {
        size_t at = call(form);
        REQUIRE(at < WORDS && (satisfied >> at & 1), "form %d gave index %zu, which is not satisfied", form, at);
        seen |= 1u << at;
    }
    REQUIRE(seen == satisfied, "form %d: after %d calls only the set %#x of %#x was returned", form, CALLS, seen,
            satisfied);
}

// Two series that take turns: what one call does for fairness must not depend on the other's calls.
static void require_all_seen_in_turns(int form) {
    static long pair[2][2] = {{1, 1}, {1, 1}};
    static const long ones[2] = {1, 1};
    unsigned seen[2] = {0, 0};
    for (int i = 0; i < CALLS; i++) {
        long *now = pair[i % 2];
        size_t at = form == 0   ? shmem_long_wait_until_any(now, 2, NULL, SHMEM_CMP_EQ, 1)
                    : form == 1 ? shmem_long_test_any(now, 2, NULL, SHMEM_CMP_EQ, 1)
                    : form == 2 ? shmem_long_wait_until_any_vector(now, 2, NULL, SHMEM_CMP_EQ, ones)
                                : shmem_long_test_any_vector(now, 2, NULL, SHMEM_CMP_EQ, ones);
        seen[i % 2] |= 1u << at;
    }
    REQUIRE(seen[0] == 3 && seen[1] == 3, "form %d, two series in turns: one never returned one of its two indices",
            form);
}

int main(void) {
    test_begin();
    for (int form = 0; form < 4; form++) require_all_seen_in_turns(form);
    for (unsigned satisfied = 1; satisfied < 1u << WORDS; satisfied = satisfied * 3 + 1) {
        for (int i = 0; i < WORDS; i++) words[i] = satisfied >> i & 1;
        for (int form = 0; form < 4; form++) require_all_seen(form, satisfied);
    }
    return test_end();
}
