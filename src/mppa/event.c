// SPDX-License-Identifier: BSD-3-Clause
// Implements waits for events, and waits for conditions on words of the calling program.
#include "internal.h"

skerry_mppa_finish_dequeue *skerry_mppa_finish;

static int wait_for(mppa_async_event_t *event) {
    const bool is_master = skerry_my_pe() == SKERRY_MPPA_MASTER;
    if (is_master) skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    const int result = event->queue ? skerry_mppa_finish(event, true) : aos_event_wait(&event->happening);
    if (is_master) skerry_mppa_end_master_wait();
    return result;
}

#if SKERRY_PRIVATE_MEMORY

static void check_owner(const long long *local) {
    (void)local;
}

#else

static void check_owner(const long long *local) {
    int owner = skerry_my_pe();
    if (skerry_everywhere(local, sizeof *local, &owner) && owner != skerry_my_pe())
        skerry_fail_values("mppa_async_evalcond",
                           "local @: must be memory of this program's cluster, or DDR of its I/O node",
                           (long[]){(long)(uintptr_t)local}, 1);
}

#endif

int mppa_async_evalcond(const long long *local, long long value, mppa_async_cond_t condition,
                        mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    mppa_async_event_t now;
    if (!event) event = &now;
    event->queue = 0;
    int result = aos_event_set(&event->happening, (const volatile int64_t *)(const void *)local, (int)condition, value);
    if (result != AOS_SUCCESS) check_owner(local);
    if (result == AOS_SUCCESS && event == &now) result = wait_for(event);
    return skerry_mppa_result(result);
}

int mppa_async_event_wait(mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    if (!event) return -1;
    return skerry_mppa_result(wait_for(event));
}

int mppa_async_event_waitall(int count, mppa_async_event_t *events) {
    int result = 0;
    for (int i = 0; i < count; i++) result |= mppa_async_event_wait(&events[i]);
    return result;
}

int mppa_async_event_test(mppa_async_event_t *event) {
    skerry_mppa_check_begun(__func__);
    if (!event) return -1;
    if (event->queue) return skerry_mppa_result(skerry_mppa_finish(event, false));
    return aos_event_test(&event->happening) == 1 ? 0 : -1;
}
