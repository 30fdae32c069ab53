// SPDX-License-Identifier: BSD-3-Clause
// Locks of the routines (omp_set_lock). A lock is a word in a core's memory that is taken by test-and-set.
#include "small.h"

typedef struct {
    volatile uint32_t state; // 0: free
} plain_lock;

typedef struct {
    volatile uint32_t state;
    volatile int count;         // how often the owner holds the lock
    const void *volatile owner; // of the thread or task that holds the lock
} nest_lock;

static void check(const volatile void *lock) {
    if (skerry_is_outside(lock))
        skerry_stop(
            "omp_init_lock: the lock lies in external memory (malloc), where the cores have no atomic operation: "
            "make it a static or local variable");
}

void omp_init_lock(plain_lock *lock);
void omp_init_lock(plain_lock *lock) {
    check(lock);
    lock->state = 0;
}

void omp_destroy_lock(plain_lock *lock);
void omp_destroy_lock(plain_lock *lock) {
    (void)lock;
}

void omp_set_lock(plain_lock *lock);
void omp_set_lock(plain_lock *lock) {
    omp_acquire(&lock->state);
}

int omp_test_lock(plain_lock *lock);
int omp_test_lock(plain_lock *lock) {
    return skerry_test_and_set(&lock->state) == 0;
}

// The stores of this thread to the lock's core arrive before the lock is free.
void omp_unset_lock(plain_lock *lock);
void omp_unset_lock(plain_lock *lock) {
    skerry_omp_complete_external();
    omp_release(&lock->state);
}

// -- Nestable locks, which belong to a task ----------------------------------------------------------------------------

// Returns an address that identifies the calling task: of its description, or of this core's word for implicit tasks.
static const void *owner(void) {
    const struct omp_self *self = &skerry_omp_self;
    return self->task ? (const void *)self->task : skerry_global(self, skerry_my_pe());
}

void omp_init_nest_lock(nest_lock *lock);
void omp_init_nest_lock(nest_lock *lock) {
    check(lock);
    lock->state = 0;
    lock->count = 0;
    lock->owner = NULL;
}

void omp_destroy_nest_lock(nest_lock *lock);
void omp_destroy_nest_lock(nest_lock *lock) {
    (void)lock;
}

// Takes the lock if it is free or belongs to the calling task. Returns how often the task holds it then, or 0.
int omp_test_nest_lock(nest_lock *lock);
int omp_test_nest_lock(nest_lock *lock) {
    const void *self = owner();
    if (lock->owner != self) {
        if (skerry_test_and_set(&lock->state) != 0) return 0;
        lock->owner = self;
        lock->count = 0;
    }
    return ++lock->count;
}

void omp_set_nest_lock(nest_lock *lock);
void omp_set_nest_lock(nest_lock *lock) {
    while (omp_test_nest_lock(lock) == 0) continue;
}

void omp_unset_nest_lock(nest_lock *lock);
void omp_unset_nest_lock(nest_lock *lock) {
    if (--lock->count > 0) return;
    lock->owner = NULL;
    skerry_omp_complete_external();
    omp_release(&lock->state);
}
