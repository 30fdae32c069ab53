// SPDX-License-Identifier: BSD-3-Clause
// The locks by which several workers can use the C library at the same time: for malloc, files, exit, the environment.
// newlib calls these functions if it is built with --enable-newlib-retargetable-locking.
#include "worker_world.h"

#include <stdlib.h>
#include <sys/lock.h>

// A recursive lock. The holder stores `owner` and `depth`. No worker holds a lock while it gives its core away, except
// a lock of a file in whose functions it waits for another lock; so a worker that waits yields.
struct __lock {
    uint32_t taken;
    uint32_t depth;
    const void *owner;
};

#define LOCK(name) struct __lock __lock_##name
LOCK(__sinit_recursive_mutex);
LOCK(__sfp_recursive_mutex);
LOCK(__atexit_recursive_mutex);
LOCK(__at_quick_exit_mutex);
LOCK(__malloc_recursive_mutex);
LOCK(__env_recursive_mutex);
LOCK(__tz_mutex);
LOCK(__dd_hash_mutex);
LOCK(__arc4random_mutex);

// Identifies the caller. Before worker 0 runs there is only one caller.
static const void *caller(void) {
    const void *thread;
    __asm__("mv %0, tp" : "=r"(thread));
    return thread;
}

static bool try(struct __lock *lock) {
    return !__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE);
}

static void take(struct __lock *lock) {
    while (!try(lock))
        while (__atomic_load_n(&lock->taken, __ATOMIC_RELAXED)) skerry_yield();
}

void __retarget_lock_init(_LOCK_T *lock) {
    *lock = calloc(1, sizeof **lock);
    if (!*lock) skerry_stop("skerry: no memory for a lock of the C library");
}

void __retarget_lock_init_recursive(_LOCK_T *lock) {
    __retarget_lock_init(lock);
}

void __retarget_lock_close(_LOCK_T lock) {
    free(lock);
}

void __retarget_lock_close_recursive(_LOCK_T lock) {
    free(lock);
}

void __retarget_lock_acquire(_LOCK_T lock) {
    take(lock);
}

int __retarget_lock_try_acquire(_LOCK_T lock) {
    return try(lock);
}

void __retarget_lock_release(_LOCK_T lock) {
    __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}

// Only the holder stores its own identity to `owner`, so a worker that reads its own identity there holds the lock.
static bool is_own(const struct __lock *lock) {
    return __atomic_load_n(&lock->taken, __ATOMIC_RELAXED) &&
           __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == caller();
}

void __retarget_lock_acquire_recursive(_LOCK_T lock) {
    if (!is_own(lock)) {
        take(lock);
        __atomic_store_n(&lock->owner, caller(), __ATOMIC_RELAXED);
    }
    lock->depth++;
}

int __retarget_lock_try_acquire_recursive(_LOCK_T lock) {
    if (!is_own(lock)) {
        if (!try(lock)) return 0;
        __atomic_store_n(&lock->owner, caller(), __ATOMIC_RELAXED);
    }
    lock->depth++;
    return 1;
}

void __retarget_lock_release_recursive(_LOCK_T lock) {
    if (--lock->depth) return;
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
    __atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
}
