// SPDX-License-Identifier: BSD-3-Clause
// Implements the locks that allow several workers to use the C library at the same time. They protect malloc, files,
// exit and the environment. newlib calls these functions if it is built with --enable-newlib-retargetable-locking. Also
// gives each worker the variables that newlib must not share: errno, and memory for decimal numbers.
#include "worker_world.h"

#include <stdlib.h>
#include <sys/lock.h>

// A recursive lock. The worker that holds the lock stores `owner` and `depth`. A worker that waits for a lock yields
// its core to other workers. Usually no worker gives its core away while it holds a lock. There is one exception: a
// function on a file holds the file's lock and waits for another lock.
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

// Returns the identity of the calling worker: its thread pointer. Before worker 0 runs there is only one caller, so any
// value identifies it.
static const void *caller(void) {
    const void *thread;
    __asm__("mv %0, tp" : "=r"(thread));
    return thread;
}

// Each worker has an error number of its own. newlib calls this function for `errno`, and also for every error number
// that newlib itself stores (mend_errno in toolchain/riscv.sh).
int *__errno(void);
int *__errno(void) {
    static SKERRY_PER_THREAD int number;
    return &number;
}

// Each worker has memory of its own for conversions of decimal numbers (mend_decimals in toolchain/riscv.sh).
struct _mprec **__mprec(void);
struct _mprec **__mprec(void) {
    static SKERRY_PER_THREAD struct _mprec *own;
    return &own;
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

// Returns true if the caller holds the lock. Only the holder stores its own identity to `owner`. So a worker that reads
// its own identity in `owner` is the holder.
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
