// SPDX-License-Identifier: BSD-3-Clause
// Defines the distributed locks (specification, section 9.13). PEs get a lock in the order in which they asked for it.

//@ shmem_set_lock: shmem_set_lock shmem_clear_lock shmem_test_lock
// Sets, clears or tests a lock of the whole job. PEs get the lock in the order in which they asked for it. Without
// contention, each routine needs one atomic operation.
//   lock  symmetric variable; 0 on all PEs before its first use, and accessed by these routines only
// Returns: shmem_test_lock returns 0 if the lock was free, and this PE now holds it; 1 if the lock was not free.
// Order: shmem_clear_lock completes this PE's puts before it clears the lock, so the next holder sees the puts.
// Errors: the job ends with an error message in two cases: a PE sets a lock that it holds already, or a PE clears a lock
// that it does not hold.
// Source: OpenSHMEM 1.6, locks, SHMEM_LOCK.

SKERRY_INLINE(void, shmem_set_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_own_word(__func__ + 1, "lock", lock, sizeof *lock, 0);
                         skerry_check_may_wait(__func__ + 1))
    if (!skerry_lock_take(lock) && !skerry_lock_await(lock))
        skerry_fail("shmem_set_lock", "lock: must not be held by this PE, which would wait for ever");
})

// Completes this PE's puts before it clears the lock, because the lock possibly protects the data of these puts. The
// next holder of the lock can then read the data.
SKERRY_INLINE(void, shmem_clear_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_own_word(__func__ + 1, "lock", lock, sizeof *lock, 0);
                         skerry_check_quiet(__func__ + 1))
    skerry_complete_puts();
    if (!skerry_lock_drop(lock) && !skerry_lock_hand_over(lock))
        skerry_fail("shmem_clear_lock", "lock: must be held by this PE");
})

SKERRY_INLINE(int, shmem_test_lock, (long *lock), {
    SKERRY_WHEN_CHECKING(skerry_check_own_word(__func__ + 1, "lock", lock, sizeof *lock, 0))
    return skerry_test_outcome(skerry_lock_take(lock)) ? 0 : 1;
})
