// SPDX-License-Identifier: BSD-3-Clause
// Declares the atomics on signed 64-bit words of a segment. The offset of a word is a multiple of 8. On memory that
// this PE accesses by loads and stores (near memory), an atomic is one locked instruction. An atomic on private memory
// of another PE is done by that PE. That PE does the atomics of each caller in the order in which the caller requested
// them.

//@ aos_postadd: aos_postadd aos_postand aos_postor aos_postxor
// Adds `value` to a word (aos_postadd), or combines `value` and the word bit by bit. The operation has no answer: the
// routine does not fetch the word's old value. Additions wrap.
// Order: a release. A PE that sees the change also sees this PE's earlier puts to the segment. The change is complete
// after aos_fence.
// Returns: AOS_SUCCESS, AOS_ERROR_BOUNDS, AOS_ERROR_ALIGNMENT, AOS_ERROR_PROTOCOL, AOS_ERROR_GONE or AOS_ERROR_STATE.
// An atomic on private memory of another PE can also fail later: the owner has no memory at the word's address, or must
// not write to it. The next aos_fence then returns AOS_ERROR_FAULT.
// Source: Hascoet et al. 2017, 3.4 and 5.4.

//@ aos_poke: aos_poke
// Stores `value` to a word, without an answer.
// Order: as for aos_postadd.
// Returns: as aos_postadd.
// Source: Hascoet et al. 2017, 5.1.

//@ aos_peek: aos_peek
// Loads a word.
//   result  place for the word's value
//   event   NULL: `*result` is valid on return. Not NULL: the routine makes an event, and `*result` is valid when a
//           wait or a test reports that this event has happened
// Returns: as aos_postadd. AOS_ERROR_FAULT: the owner has no memory at the word's address or must not write to it.
// AOS_ERROR_MEMORY: the program has too many events for which it has not waited.
// Source: Hascoet et al. 2017, 5.1.

//@ aos_fetchadd: aos_fetchadd aos_fetchclear aos_swap
// Changes a word and fetches its old value. aos_fetchadd adds `value`, aos_fetchclear stores 0, aos_swap stores
// `value`.
//   result  place for the old value
//   event   NULL: `*result` is valid on return. Not NULL: the routine makes an event, and `*result` is valid when a
//           wait or a test reports that this event has happened
// Order: an acquire and a release.
// Returns: as aos_peek.
// Source: Hascoet et al. 2017, 3.4.

//@ aos_cswap: aos_cswap
// Sets a word to `value` if it holds `expected`. Stores the word's old value to `*result` in both cases.
// Order: an acquire and a release.
// Returns: as aos_peek.
// Source: Hascoet et al. 2017, 3.4.

//@ aos_postadd_when: aos_postadd_when aos_postand_when aos_postor_when aos_postxor_when aos_poke_when
// Does an atomic without an answer as soon as a word of the segment satisfies a condition. If the condition holds
// already, the atomic is done at once. If it does not hold, the atomic is done when a routine of aos.h changes the word
// so that the condition holds. A change by other means, for example by a plain store, is found later. Such a change is
// found when the segment's owner calls aos_progress or waits in a routine of aos.h. It is also found when another PE
// waits in such a routine for the atomic.
//   when   the condition. If it is on the word that the atomic changes, the test and the change are one atomic step.
//          Conditional atomics on memory of one owner are always atomic among themselves. If the conditions of several
//          of them hold, they are done in the order in which they arrived
//   event  NULL: the routine makes no event, and a later aos_fence completes the operation. Not NULL: the routine makes
//          an event that happens when the operation is done
// Returns: as aos_postadd. AOS_ERROR_ARGUMENT: `when` is NULL or names no condition. AOS_ERROR_MEMORY: the program has
// too many events for which it has not waited.
// Source: Hascoet et al. 2017, 3.4.

//@ aos_fetchadd_when: aos_fetchadd_when aos_fetchclear_when aos_swap_when aos_cswap_when aos_peek_when
// Does an atomic with an answer as soon as a word of the segment satisfies a condition.
//   when   as for aos_postadd_when
//   event  NULL: the routine waits until the condition holds and `*result` is valid. Not NULL: the routine makes an
//          event, and `*result` is valid when a wait or a test reports that this event has happened
// Returns: as aos_peek, or AOS_ERROR_ARGUMENT if `when` is NULL or names no condition.
// Source: Hascoet et al. 2017, 3.4.

#define SKERRY_LIST(NAME, OPERATION)                                                                                   \
    AOS_INLINE(int, NAME, (const aos_segment_t *segment, uint64_t offset, int64_t value), {                            \
        AOS_WHEN_CHECKING(skerry_aos_check_segment(#NAME, segment))                                                    \
        return skerry_aos_post(#NAME, segment, offset, OPERATION, value);                                              \
    })                                                                                                                 \
    AOS_INLINE(                                                                                                        \
        int, NAME##_when,                                                                                              \
        (const aos_segment_t *segment, uint64_t offset, int64_t value, const aos_condition_t *when,                    \
         aos_event_t *event),                                                                                          \
        { return skerry_aos_atomic_when(#NAME "_when", segment, offset, OPERATION, value, 0, when, 0, event); })
SKERRY_LIST(aos_postadd, SKERRY_AOS_ADD)
SKERRY_LIST(aos_postand, SKERRY_AOS_AND)
SKERRY_LIST(aos_postor, SKERRY_AOS_OR)
SKERRY_LIST(aos_postxor, SKERRY_AOS_XOR)
SKERRY_LIST(aos_poke, SKERRY_AOS_POKE)
#undef SKERRY_LIST

#define SKERRY_LIST(NAME, OPERATION)                                                                                   \
    AOS_INLINE(int, NAME,                                                                                              \
               (const aos_segment_t *segment, uint64_t offset, int64_t value, int64_t *result, aos_event_t *event), {  \
                   AOS_WHEN_CHECKING(skerry_aos_check_result(#NAME, result); skerry_aos_check_segment(#NAME, segment)) \
                   return skerry_aos_fetch(#NAME, segment, offset, OPERATION, value, 0, result, event);                \
               })                                                                                                      \
    AOS_INLINE(int, NAME##_when,                                                                                       \
               (const aos_segment_t *segment, uint64_t offset, int64_t value, const aos_condition_t *when,             \
                int64_t *result, aos_event_t *event),                                                                  \
               {                                                                                                       \
                   AOS_WHEN_CHECKING(skerry_aos_check_result(#NAME "_when", result))                                   \
                   return skerry_aos_atomic_when(#NAME "_when", segment, offset, OPERATION, value, 0, when, result,    \
                                                 event);                                                               \
               })
SKERRY_LIST(aos_fetchadd, SKERRY_AOS_FETCH_ADD)
SKERRY_LIST(aos_swap, SKERRY_AOS_SWAP)
#undef SKERRY_LIST

AOS_INLINE(int, aos_fetchclear, (const aos_segment_t *segment, uint64_t offset, int64_t *result, aos_event_t *event), {
    AOS_WHEN_CHECKING(skerry_aos_check_result("aos_fetchclear", result))
    AOS_WHEN_CHECKING(skerry_aos_check_segment("aos_fetchclear", segment))
    return skerry_aos_fetch("aos_fetchclear", segment, offset, SKERRY_AOS_FETCH_CLEAR, 0, 0, result, event);
})
AOS_INLINE(int, aos_fetchclear_when,
           (const aos_segment_t *segment, uint64_t offset, const aos_condition_t *when, int64_t *result,
            aos_event_t *event),
           {
               AOS_WHEN_CHECKING(skerry_aos_check_result("aos_fetchclear_when", result))
               return skerry_aos_atomic_when("aos_fetchclear_when", segment, offset, SKERRY_AOS_FETCH_CLEAR, 0, 0, when,
                                             result, event);
           })

AOS_INLINE(int, aos_peek, (const aos_segment_t *segment, uint64_t offset, int64_t *result, aos_event_t *event), {
    AOS_WHEN_CHECKING(skerry_aos_check_result("aos_peek", result))
    AOS_WHEN_CHECKING(skerry_aos_check_segment("aos_peek", segment))
    return skerry_aos_fetch("aos_peek", segment, offset, SKERRY_AOS_PEEK, 0, 0, result, event);
})
AOS_INLINE(
    int, aos_peek_when,
    (const aos_segment_t *segment, uint64_t offset, const aos_condition_t *when, int64_t *result, aos_event_t *event), {
        AOS_WHEN_CHECKING(skerry_aos_check_result("aos_peek_when", result))
        return skerry_aos_atomic_when("aos_peek_when", segment, offset, SKERRY_AOS_PEEK, 0, 0, when, result, event);
    })

AOS_INLINE(int, aos_cswap,
           (const aos_segment_t *segment, uint64_t offset, int64_t expected, int64_t value, int64_t *result,
            aos_event_t *event),
           {
               AOS_WHEN_CHECKING(skerry_aos_check_result("aos_cswap", result))
               AOS_WHEN_CHECKING(skerry_aos_check_segment("aos_cswap", segment))
               return skerry_aos_fetch("aos_cswap", segment, offset, SKERRY_AOS_COMPARE_SWAP, value, expected, result,
                                       event);
           })
AOS_INLINE(int, aos_cswap_when,
           (const aos_segment_t *segment, uint64_t offset, int64_t expected, int64_t value, const aos_condition_t *when,
            int64_t *result, aos_event_t *event),
           {
               AOS_WHEN_CHECKING(skerry_aos_check_result("aos_cswap_when", result))
               return skerry_aos_atomic_when("aos_cswap_when", segment, offset, SKERRY_AOS_COMPARE_SWAP, value,
                                             expected, when, result, event);
           })
