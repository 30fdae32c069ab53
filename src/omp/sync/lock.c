// SPDX-License-Identifier: BSD-3-Clause
// Implements the lock routines of OpenMP. A simple lock is the 32-bit lock of mutex.h, in C and in Fortran, or on machines
// with SKERRY_NEAR_MEMORY the lock of near_mutex.h. A task owns a nestable lock. In OpenMP 2.5 a thread owned it, and the
// lock's type had half the size. Each function of nestable locks therefore exists in two versions:
// * OMP_3.0, a version of the symbol with which the linker links new programs;
// * OMP_1.0, the version with which old programs were linked.
#include "../task/group.h"
#include "mutex.h"
#include "near_mutex.h"

// The lock in the types omp_lock_t and omp_nest_lock_t. In GCC's types it has 32 bits, in those of omp.h 64 bits.
#if SKERRY_NEAR_MEMORY
typedef struct near_mutex simple_lock;
#define simple_init near_mutex_init
#define simple_destroy near_mutex_destroy
#define simple_take near_mutex_take
#define simple_give near_mutex_give
#define simple_try near_mutex_try
#else
typedef uint32_t simple_lock;
#define simple_take omp_mutex_take
#define simple_give omp_mutex_give
#define simple_try omp_mutex_try

SKERRY_ALWAYS_INLINE void simple_init(simple_lock *lock) {
    __atomic_store_n(lock, 0, __ATOMIC_RELAXED);
}

SKERRY_ALWAYS_INLINE void simple_destroy(simple_lock *lock) {
    (void)lock;
}
#endif

// -- Simple locks: one function for both versions and both languages ---------------------------------------------------

#define BOTH(name)                                                                                                     \
    OMP_EXPORT __attribute__((symver(#name "@@OMP_3.0"), symver(#name "_@@OMP_3.0"), symver(#name "@OMP_1.0"),         \
                              symver(#name "_@OMP_1.0")))

BOTH(omp_init_lock) void skerry_omp_init_lock(simple_lock *lock) {
    simple_init(lock);
}

BOTH(omp_destroy_lock) void skerry_omp_destroy_lock(simple_lock *lock) {
    simple_destroy(lock);
}

BOTH(omp_set_lock) void skerry_omp_set_lock(simple_lock *lock) {
    simple_take(lock);
}

BOTH(omp_unset_lock) void skerry_omp_unset_lock(simple_lock *lock) {
    simple_give(lock);
}

BOTH(omp_test_lock) int skerry_omp_test_lock(simple_lock *lock) {
    return simple_try(lock);
}

// -- Nestable locks that a task owns -----------------------------------------------------------------------------------

struct nest_lock {
    simple_lock lock;
    int32_t count;
    const struct omp_task *owner;
};

SKERRY_ALWAYS_INLINE bool nest_is_own(const struct nest_lock *lock, const struct omp_task *task) {
    // The load needs no lock, because a task writes `owner` only while it holds the lock. A task that reads its own
    // address here is the owner.
    return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == task;
}

SKERRY_ALWAYS_INLINE void nest_init(struct nest_lock *lock) {
    simple_init(&lock->lock);
    lock->count = 0;
    lock->owner = NULL;
}

SKERRY_ALWAYS_INLINE void nest_set(struct nest_lock *lock) {
    const struct omp_task *task = omp_self()->state.task;
    if (!nest_is_own(lock, task)) {
        simple_take(&lock->lock);
        __atomic_store_n(&lock->owner, task, __ATOMIC_RELAXED);
    }
    lock->count++;
}

SKERRY_ALWAYS_INLINE void nest_unset(struct nest_lock *lock) {
    if (--lock->count) return;
    __atomic_store_n(&lock->owner, NULL, __ATOMIC_RELAXED);
    simple_give(&lock->lock);
}

SKERRY_ALWAYS_INLINE int nest_test(struct nest_lock *lock) {
    const struct omp_task *task = omp_self()->state.task;
    if (!nest_is_own(lock, task)) {
        if (!simple_try(&lock->lock)) return 0;
        __atomic_store_n(&lock->owner, task, __ATOMIC_RELAXED);
    }
    return ++lock->count;
}

#define NEW(name) OMP_EXPORT __attribute__((symver(#name "@@OMP_3.0")))

NEW(omp_init_nest_lock) void skerry_omp_init_nest_lock(struct nest_lock *lock) {
    nest_init(lock);
}

NEW(omp_destroy_nest_lock) void skerry_omp_destroy_nest_lock(struct nest_lock *lock) {
    simple_destroy(&lock->lock);
}

NEW(omp_set_nest_lock) void skerry_omp_set_nest_lock(struct nest_lock *lock) {
    nest_set(lock);
}

NEW(omp_unset_nest_lock) void skerry_omp_unset_nest_lock(struct nest_lock *lock) {
    nest_unset(lock);
}

NEW(omp_test_nest_lock) int skerry_omp_test_nest_lock(struct nest_lock *lock) {
    return nest_test(lock);
}

// In Fortran the variable of a nestable lock has only 8 bytes. The variable therefore contains the address of a lock in
// memory.
NEW(omp_init_nest_lock_) void skerry_omp_init_nest_lock_f(struct nest_lock **lock) {
    *lock = skerry_memory_take(sizeof **lock, _Alignof(struct nest_lock));
    if (!*lock) skerry_stop("libgomp: omp_init_nest_lock: no memory");
    nest_init(*lock);
}

NEW(omp_destroy_nest_lock_) void skerry_omp_destroy_nest_lock_f(struct nest_lock **lock) {
    simple_destroy(&(*lock)->lock);
    skerry_memory_give(*lock);
    *lock = NULL;
}

NEW(omp_set_nest_lock_) void skerry_omp_set_nest_lock_f(struct nest_lock **lock) {
    nest_set(*lock);
}

NEW(omp_unset_nest_lock_) void skerry_omp_unset_nest_lock_f(struct nest_lock **lock) {
    nest_unset(*lock);
}

NEW(omp_test_nest_lock_) int skerry_omp_test_nest_lock_f(struct nest_lock **lock) {
    return nest_test(*lock);
}

// -- Nestable locks that a thread owns, in C as in Fortran -------------------------------------------------------------

struct old_nest_lock {
    int32_t owner; // number of the thread that owns the lock + 1; 0: no thread
    int32_t count;
};

#define OLD(name) OMP_EXPORT __attribute__((symver(#name "@OMP_1.0"), symver(#name "_@OMP_1.0")))

static bool old_nest_try(struct old_nest_lock *lock) {
    int32_t owner = 0, self = omp_self()->number + 1;
    return __atomic_compare_exchange_n(&lock->owner, &owner, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) ||
           owner == self;
}

OLD(omp_init_nest_lock) void skerry_omp_init_nest_lock_old(struct old_nest_lock *lock) {
    *lock = (struct old_nest_lock){0, 0};
}

OLD(omp_destroy_nest_lock) void skerry_omp_destroy_nest_lock_old(struct old_nest_lock *lock) {
    (void)lock;
}

OLD(omp_set_nest_lock) void skerry_omp_set_nest_lock_old(struct old_nest_lock *lock) {
    SKERRY_WAIT_UNTIL(old_nest_try(lock), skerry_eventcount_of(lock));
    lock->count++;
}

OLD(omp_unset_nest_lock) void skerry_omp_unset_nest_lock_old(struct old_nest_lock *lock) {
    if (--lock->count) return;
    __atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
    skerry_compiler_fence();
    skerry_wake(skerry_eventcount_of(lock));
}

OLD(omp_test_nest_lock) int skerry_omp_test_nest_lock_old(struct old_nest_lock *lock) {
    return old_nest_try(lock) ? ++lock->count : 0;
}
