// SPDX-License-Identifier: BSD-3-Clause
// Defines the functions that the compiler calls for atomic operations of 1, 2 and 8 bytes, because a RISC-V core of 32
// bits has instructions for those of 4 bytes only.
//
// An operation on 1 or 2 bytes changes the aligned word around them by LR and SC. A plain store to a byte of the word,
// for which the compiler calls no function, ends the reservation of LR. So no such store is lost.
//
// An operation on 8 bytes holds a lock, chosen by the address. The compiler calls a function also for a load and a
// store of 8 bytes, so no access is left out. A thread that holds a lock neither waits nor is interrupted, so waiting
// for a lock ends. Threads get the lock in the order of their tickets: with a lock that any of them could take, three
// threads that poll a word kept a fourth from changing it for ever. A load takes no ticket: it is repeated if a thread
// had the lock or took a ticket meanwhile. So threads that poll do not delay the one that they wait for.
#include <stdbool.h>
#include <stdint.h>

#define NAME2(NAME, BYTES) __atomic_##NAME##_##BYTES
#define NAMED(NAME, BYTES) NAME2(NAME, BYTES)
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

// -- 1 and 2 bytes -----------------------------------------------------------------------------------------------------

static uint32_t *word_around(const volatile void *at) {
    return (uint32_t *)((uintptr_t)at & ~(uintptr_t)3);
}

// Returns the number of the lowest bit of the bytes at `at` in the word around them.
static unsigned shift_of(const volatile void *at) {
    return ((uintptr_t)at & 3) * 8;
}

#define NARROW_FETCHING(TYPE, BYTES, NAME, NEW)                                                                        \
    TYPE NAMED(NAME, BYTES)(volatile void *at, TYPE value, int order);                                                 \
    TYPE NAMED(NAME, BYTES)(volatile void *at, TYPE value, int order) {                                                \
        (void)order;                                                                                                   \
        uint32_t *word = word_around(at), mask = (uint32_t)(TYPE)-1 << shift_of(at);                                   \
        uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED), after;                                              \
        TYPE old;                                                                                                      \
        do {                                                                                                           \
            old = (TYPE)(before >> shift_of(at));                                                                      \
            after = (before & ~mask) | (uint32_t)(TYPE)(NEW) << shift_of(at);                                          \
        } while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));        \
        return old;                                                                                                    \
    }

#define NARROW(TYPE, BYTES)                                                                                            \
    bool NAMED(compare_exchange, BYTES)(volatile void *at, void *expected, TYPE value, int success, int failure);      \
    bool NAMED(compare_exchange, BYTES)(volatile void *at, void *expected, TYPE value, int success, int failure) {     \
        (void)success;                                                                                                 \
        (void)failure;                                                                                                 \
        uint32_t *word = word_around(at), mask = (uint32_t)(TYPE)-1 << shift_of(at);                                   \
        uint32_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST), after;                                              \
        do {                                                                                                           \
            TYPE old = (TYPE)(before >> shift_of(at));                                                                 \
            if (old != *(TYPE *)expected) {                                                                            \
                *(TYPE *)expected = old;                                                                               \
                return false;                                                                                          \
            }                                                                                                          \
            after = (before & ~mask) | (uint32_t)value << shift_of(at);                                                \
        } while (!__atomic_compare_exchange_n(word, &before, after, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));        \
        return true;                                                                                                   \
    }                                                                                                                  \
    NARROW_FETCHING(TYPE, BYTES, exchange, value)                                                                      \
    NARROW_FETCHING(TYPE, BYTES, fetch_add, old + value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_sub, old - value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_and, old &value)                                                                \
    NARROW_FETCHING(TYPE, BYTES, fetch_or, old | value)                                                                \
    NARROW_FETCHING(TYPE, BYTES, fetch_xor, old ^ value)                                                               \
    NARROW_FETCHING(TYPE, BYTES, fetch_nand, ~(old & value))
NARROW(uint8_t, 1)
NARROW(uint16_t, 2)

// -- 8 bytes -----------------------------------------------------------------------------------------------------------

#define LOCKS 64u // a power of two
#define LOCK_BYTES 8

struct lock {
    _Alignas(LOCK_BYTES) uint32_t tickets; // number of tickets taken
    uint32_t turn;                         // ticket whose owner has the lock; equal to `tickets` if nobody has
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

// Only the owner changes `turn`.
static void give(struct lock *lock) {
    __atomic_store_n(&lock->turn, lock->turn + 1, __ATOMIC_RELEASE);
}

// If `tickets`, loaded last, equals `turn`, loaded first, then all owners before that turn had given the lock back
// before the first load, and no thread took a ticket until the last load. So nobody changed the value between them.
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
