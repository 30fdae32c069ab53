// SPDX-License-Identifier: BSD-3-Clause
// An event is a condition on a watched word. The event has happened if the condition is true. Operations make events,
// and a program can make events of its own words.

//@ aos_event_set: aos_event_set
// Makes an event of a word. The event has happened while the word satisfies the condition. The event does not remember
// it: if the word changes again, the event may be one that has not happened.
//   word       a word of this PE, a symmetric word, or an address that aos_pointer returned; for example an OpenSHMEM
//              signal
//   condition  AOS_EQUAL, AOS_NOT_EQUAL, AOS_LESS, AOS_LESS_EQUAL, AOS_GREATER, AOS_GREATER_EQUAL; AOS_ALWAYS
// Returns: AOS_SUCCESS; AOS_ERROR_ARGUMENT: NULL, no such condition, or a word that is not aligned to 8 bytes.
// Source: Hascoet et al. 2017, 5.2.

//@ aos_event_wait: aos_event_wait aos_event_test
// Waits until an event has happened (aos_event_wait), or tests it without waiting (aos_event_test). A program may wait
// again for an event that an operation made: the second wait returns at once. A program must wait for the event of a
// fetching operation, or test it until it has happened, because the wait or the test stores the value.
// Returns: aos_event_wait: AOS_SUCCESS, or the error with which the operation ended. aos_event_test: 1 if the event has
// happened, 0 if not, or the error.
// Order: acquires: data that was written before the word, or by the operation, is visible.
// Source: Hascoet et al. 2017, algorithm 2.

//@ aos_event_wait_any: aos_event_wait_any aos_event_wait_all aos_event_test_any aos_event_test_all
// Waits until one of several events has happened, or until all have. The tests do not wait.
//   events  array of pointers to events; NULL pointers in it are skipped
//   index   place for the index of an event that has happened
// Returns: the waits: AOS_SUCCESS, or the error with which an operation ended; aos_event_wait_any: AOS_ERROR_ARGUMENT if
// there is no event to wait for. The tests: 1 or 0, or the error with which an operation ended.

AOS_DECLARE(int, aos_event_set, (aos_event_t * event, const volatile int64_t *word, int condition, int64_t value))
AOS_DECLARE(int, aos_event_wait, (aos_event_t * event))
AOS_DECLARE(int, aos_event_test, (aos_event_t * event))
AOS_DECLARE(int, aos_event_wait_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_wait_all, (aos_event_t *const *events, size_t count))
AOS_DECLARE(int, aos_event_test_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_test_all, (aos_event_t *const *events, size_t count))
