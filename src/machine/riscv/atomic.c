// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for atomic operations of 8 bytes, for the machines of OpenMP workers
// (smp, sarc), and of any size, which C++ calls for a std::atomic of more than 8 bytes. An operation holds a lock, which is
// chosen by the address. The compiler also calls a function for a load and a store, so every access is protected.
// atomic_narrow.h defines the functions for 1 and 2 bytes.
//
// Why every wait for a lock ends:
// * A thread that holds a lock neither waits nor is interrupted.
// * Threads get the lock in the order of their tickets. Without this order, a fourth thread never got the lock to
//   change a word that three threads polled.
// * A load takes no ticket. So threads that poll a word do not delay the thread that changes the word.
#include "atomic_narrow.h"

#include <stddef.h>
#include <string.h>

#define LOCKS 64u // a power of two
#define LOCK_BYTES 8

struct lock {
    _Alignas(LOCK_BYTES) uint32_t tickets; // number of tickets that threads have taken
    // Ticket of the thread that has the lock. If no thread has the lock, `turn` is equal to `tickets`.
    uint32_t turn;
};
static struct lock locks[LOCKS];

static struct lock *lock_of(const volatile void *at) {
    uintptr_t number = (uintptr_t)at >> 3;
    return &locks[(number ^ number >> 6) % LOCKS];
}

static struct lock *take(const volatile void *at) {
    struct lock *lock = lock_of(at);
    const uint32_t ticket = __atomic_fetch_add(&lock->tickets, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&lock->turn, __ATOMIC_ACQUIRE) != ticket) {
    }
    return lock;
}

// Releases the lock. Only the thread that has the lock changes `turn`, so the addition need not be atomic.
static void give(struct lock *lock) {
    __atomic_store_n(&lock->turn, lock->turn + 1, __ATOMIC_RELEASE);
}

// Loads a value. The loop ends when `tickets`, loaded last, is equal to `turn`, loaded first. In this case no thread
// changed the value between the two loads:
// * All earlier owners of the lock had released it before the first load.
// * No thread took a ticket before the last load.
uint64_t NAMED(load, 8)(const volatile void *at, int order);
uint64_t NAMED(load, 8)(const volatile void *at, int order) {
    (void)order;
    struct lock *lock = lock_of(at);
    for (;;) {
        const uint32_t turn = __atomic_load_n(&lock->turn, __ATOMIC_SEQ_CST);
        const uint64_t value = *(const volatile uint64_t *)at;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&lock->tickets, __ATOMIC_RELAXED) == turn) return value;
    }
}

void NAMED(store, 8)(volatile void *at, uint64_t value, int order);
void NAMED(store, 8)(volatile void *at, uint64_t value, int order) {
    (void)order;
    struct lock *lock = take(at);
    *(volatile uint64_t *)at = value;
    give(lock);
}

bool NAMED(compare_exchange, 8)(volatile void *at, void *expected, uint64_t value, int success, int failure);
bool NAMED(compare_exchange, 8)(volatile void *at, void *expected, uint64_t value, int success, int failure) {
    (void)success;
    (void)failure;
    struct lock *lock = take(at);
    uint64_t old = *(volatile uint64_t *)at;
    bool is_equal = old == *(uint64_t *)expected;
    if (is_equal) *(volatile uint64_t *)at = value;
    give(lock);
    *(uint64_t *)expected = old;
    return is_equal;
}

#define WIDE_FETCHING(NAME, NEW)                                                                                       \
    uint64_t NAMED(NAME, 8)(volatile void *at, uint64_t value, int order);                                             \
    uint64_t NAMED(NAME, 8)(volatile void *at, uint64_t value, int order) {                                            \
        (void)order;                                                                                                   \
        struct lock *lock = take(at);                                                                                  \
        uint64_t old = *(volatile uint64_t *)at;                                                                       \
        *(volatile uint64_t *)at = (NEW);                                                                              \
        give(lock);                                                                                                    \
        return old;                                                                                                    \
    }
WIDE_FETCHING(exchange, value)
WIDE_FETCHING(fetch_add, old + value)
WIDE_FETCHING(fetch_sub, old - value)
WIDE_FETCHING(fetch_and, old &value)
WIDE_FETCHING(fetch_or, old | value)
WIDE_FETCHING(fetch_xor, old ^ value)
WIDE_FETCHING(fetch_nand, ~(old &value))

// -- Objects of any size -----------------------------------------------------------------------------------------------

// All operations on an object have its address, so they take the same lock. Atomic objects do not overlap. `at` is volatile
// for programs only: nobody changes the object while a function has its lock.

void atomic_load_any(size_t bytes, const void *at, void *to, int order) __asm__("__atomic_load");
void atomic_store_any(size_t bytes, void *at, const void *from, int order) __asm__("__atomic_store");
void atomic_exchange_any(size_t bytes, void *at, const void *from, void *old, int order) __asm__("__atomic_exchange");
bool atomic_compare_exchange_any(size_t bytes, void *at, void *expected, const void *from, int success,
                                 int failure) __asm__("__atomic_compare_exchange");
bool atomic_is_lock_free_any(size_t bytes, const void *at) __asm__("__atomic_is_lock_free");

// A load without a ticket may read parts of two values. It finds that out as the load of 8 bytes does, and reads again. It
// takes longer than a load of 8 bytes, so other threads could always change the object meanwhile. So it takes a ticket at last.
#define LOADS_WITHOUT_TICKET 8

void atomic_load_any(size_t bytes, const void *at, void *to, int order) {
    (void)order;
    struct lock *lock = lock_of(at);
    for (int i = 0; i < LOADS_WITHOUT_TICKET; i++) {
        const uint32_t turn = __atomic_load_n(&lock->turn, __ATOMIC_SEQ_CST);
        memcpy(to, at, bytes);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (__atomic_load_n(&lock->tickets, __ATOMIC_RELAXED) == turn) return;
    }
    take(at);
    memcpy(to, at, bytes);
    give(lock);
}

void atomic_store_any(size_t bytes, void *at, const void *from, int order) {
    (void)order;
    struct lock *lock = take(at);
    memcpy(at, from, bytes);
    give(lock);
}

void atomic_exchange_any(size_t bytes, void *at, const void *from, void *old, int order) {
    (void)order;
    struct lock *lock = take(at);
    memcpy(old, at, bytes);
    memcpy(at, from, bytes);
    give(lock);
}

// Stores to `*expected` only after a failure: other threads may read it if the operation succeeds.
bool atomic_compare_exchange_any(size_t bytes, void *at, void *expected, const void *from, int success, int failure) {
    (void)success;
    (void)failure;
    struct lock *lock = take(at);
    const bool is_equal = memcmp(at, expected, bytes) == 0;
    if (is_equal) memcpy(at, from, bytes);
    else memcpy(expected, at, bytes);
    give(lock);
    return is_equal;
}

bool atomic_is_lock_free_any(size_t bytes, const void *at) {
    return bytes == 4 && (uintptr_t)at % 4 == 0;
}
