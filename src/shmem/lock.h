// SPDX-License-Identifier: BSD-3-Clause
// Distributed locks (specification, section 9.13), first come, first served.

//@ shmem_set_lock: shmem_set_lock shmem_clear_lock shmem_test_lock
// A lock of the whole job, first come, first served. Without contention each way is one locked instruction.
//   lock  symmetric, 0 on all PEs before its first use, touched by these routines only
// Returns: shmem_test_lock 0 when the lock was free and is now ours, 1 when it was not.
// Order: clear completes this PE's puts, and the next holder sees them.
// Errors: setting a lock that this PE holds, or clearing one that it does not hold, ends the job with a line.
// Source: OpenSHMEM 1.6, locks, SHMEM_LOCK.

SKERRY_INLINE(void, shmem_set_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "lock", lock, sizeof *lock, 0);
                         skerry_check_may_wait(__func__ + 1))
    if (!skerry_lock_take(lock) && !skerry_lock_await(lock))
        skerry_fail("shmem_set_lock", "this PE holds the lock already; it would wait for ever");
})

// A clear completes the puts that the lock protects: the next holder may rely on them.
SKERRY_INLINE(void, shmem_clear_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "lock", lock, sizeof *lock, 0);
                         skerry_check_quiet(__func__ + 1))
    skerry_complete_puts();
    if (!skerry_lock_drop(lock) && !skerry_lock_hand_over(lock))
        skerry_fail("shmem_clear_lock", "this PE does not hold the lock");
})

SKERRY_INLINE(int, shmem_test_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_word(__func__ + 1, "lock", lock, sizeof *lock, 0))
    return skerry_test_outcome(skerry_lock_take(lock)) ? 0 : 1;
})
