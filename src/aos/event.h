// SPDX-License-Identifier: BSD-3-Clause
// Events: a condition on a watched word that is true or false. Operations make them; so does a program, of its own words.

//@ aos_event_set: aos_event_set
// An event that has happened when the word satisfies the condition now. Nothing is remembered: a word that goes on may make it
// false again.
//   word       a word of this PE, a symmetric one, or an address that aos_pointer gave: an OpenSHMEM signal, for example
//   condition  AOS_EQUAL, AOS_NOT_EQUAL, AOS_LESS, AOS_LESS_EQUAL, AOS_GREATER, AOS_GREATER_EQUAL; AOS_ALWAYS
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT: NULL, no such condition, or a word that is not aligned to 8 bytes.
// Source: Hascoet et al. 2017, 5.2.

//@ aos_event_wait: aos_event_wait aos_event_test
// Waits until an event has happened, or only looks. An event that an operation made may be waited for once more: it has happened.
// An event of a fetching operation must be waited for, or tested until it has happened: that is what brings the value.
// Returns: aos_event_wait: AOS_SUCCESS, or the error with which the operation ended. aos_event_test: 1 or 0, or the error.
// Order: acquires: what was written before the word, or by the operation, is there.
// Source: Hascoet et al. 2017, algorithm 2.

//@ aos_event_wait_any: aos_event_wait_any aos_event_wait_all aos_event_test_any aos_event_test_all
// Waits until one of several events has happened, or all have, or only looks.
//   events  NULL pointers among them are passed over
//   index   of one that has happened
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT where there is none to wait for. The tests: 1 or 0.

AOS_DECLARE(int, aos_event_set, (aos_event_t * event, const volatile int64_t *word, int condition, int64_t value))
AOS_DECLARE(int, aos_event_wait, (aos_event_t * event))
AOS_DECLARE(int, aos_event_test, (aos_event_t * event))
AOS_DECLARE(int, aos_event_wait_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_wait_all, (aos_event_t *const *events, size_t count))
AOS_DECLARE(int, aos_event_test_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_test_all, (aos_event_t *const *events, size_t count))
