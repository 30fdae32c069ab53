// SPDX-License-Identifier: BSD-3-Clause
// Declares events. An event is a condition on a word. The event has happened if the word satisfies the condition.
// Operations make events, and a program can make events for its own words.

//@ aos_event_set: aos_event_set
// Makes an event from a word and a condition on the word. The event has happened while the word satisfies the
// condition. Each wait and each test loads the word again. So if the word changes after the event has happened, a later
// test can return that the event has not happened.
//   word       address of a word of this PE or of a symmetric word, or an address that aos_pointer returned; an
//              OpenSHMEM signal is such a word
//   condition  how the word is compared with `value`: AOS_EQUAL, AOS_NOT_EQUAL, AOS_LESS, AOS_LESS_EQUAL, AOS_GREATER
//              or AOS_GREATER_EQUAL; AOS_ALWAYS: the event has always happened
// Returns: AOS_SUCCESS. AOS_ERROR_ARGUMENT: `event` or `word` is NULL, there is no such condition, or the word is not
// aligned to 8 bytes.
// Source: Hascoet et al. 2017, 5.2.

//@ aos_event_wait: aos_event_wait aos_event_test
// Waits until an event has happened (aos_event_wait), or tests it without waiting (aos_event_test). A program may wait
// again for an event that an operation made: the second wait returns at once. The value of a fetching operation is
// stored by the wait or the test. So a program must wait for the event of such an operation, or test it until it has
// happened.
// Returns: aos_event_wait returns AOS_SUCCESS, or the error with which the operation ended. aos_event_test returns 1 if
// the event has happened, 0 if it has not happened, or the error with which the operation ended.
// Order: an acquire. After the event has happened, this PE sees the data that the operation wrote. For an event that
// tests a word, this PE sees what the PE that changed the word had written before the change.
// Source: Hascoet et al. 2017, algorithm 2.

//@ aos_event_wait_any: aos_event_wait_any aos_event_wait_all aos_event_test_any aos_event_test_all
// Waits until one of several events has happened, or until all of them have happened. aos_event_test_any and
// aos_event_test_all test this without waiting.
//   events  array of pointers to events; NULL pointers in it are skipped
//   index   place for the index of an event that has happened
// Returns: the waits return AOS_SUCCESS, or the error with which an operation ended. aos_event_wait_any returns
// AOS_ERROR_ARGUMENT if there is no event to wait for. The tests return 1 if one event has happened
// (aos_event_test_any) or if all have happened (aos_event_test_all). If not, they return 0, or the error with which an
// operation ended.

AOS_DECLARE(int, aos_event_set, (aos_event_t * event, const volatile int64_t *word, int condition, int64_t value))
AOS_DECLARE(int, aos_event_wait, (aos_event_t * event))
AOS_DECLARE(int, aos_event_test, (aos_event_t * event))
AOS_DECLARE(int, aos_event_wait_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_wait_all, (aos_event_t *const *events, size_t count))
AOS_DECLARE(int, aos_event_test_any, (aos_event_t *const *events, size_t count, size_t *index))
AOS_DECLARE(int, aos_event_test_all, (aos_event_t *const *events, size_t count))
