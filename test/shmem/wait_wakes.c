// SPDX-License-Identifier: BSD-3-Clause
// A waiter that has slept for 60 ms and more is woken by every kind of write that the interface has, and soon. A waiter that
// nobody wakes sleeps for up to 32 ms at a time, so one of 16 writes finds it within 2 ms of its end by chance. PEs of a
// loaded machine wake late at times, so each kind is repeated until SOON_NEEDED waiters woke soon, at most TRIES_MOST times: by
// chance that happens in 2 of 100 runs. PEs work in pairs, which share the kinds among them.
// pes: 4 8 16
#include "test.h"

#define TRIES_MOST 25
#define SOON_NEEDED 5
#define ASLEEP_MS(try)                                                                                                 \
    (64 + 10 * ((try) % 4)) // different, because a sleep that ends by itself may end at any one of them
#define SOON 0.002

static _Alignas(64) long word;
static _Alignas(64) uint64_t signal;
static double sent;   // when the last write was made; written before it
static long asked;    // number of writes for which the waiter has asked, and of kinds that it has finished
static long answered; // the writer has seen that the waiter has finished a kind
static long goes_on;  // 1: the waiter waits for another write of this kind; written before `asked`
static char byte;

static void by_p(long value, int pe) {
    shmem_long_p(&word, value, pe);
}
static void by_put(long value, int pe) {
    shmem_long_put(&word, &value, 1, pe);
}
static void by_put_nbi(long value, int pe) {
    static long source;
    source = value;
    shmem_long_put_nbi(&word, &source, 1, pe);
    shmem_quiet();
}
static void by_putmem(long value, int pe) {
    shmem_putmem(&word, &value, sizeof value, pe);
}
static void by_iput(long value, int pe) {
    shmem_long_iput(&word, &value, 1, 1, 1, pe);
}
static void by_ibput(long value, int pe) {
    shmem_long_ibput(&word, &value, 1, 1, 1, 1, pe);
}
static void by_set(long value, int pe) {
    shmem_long_atomic_set(&word, value, pe);
}
static void by_add(long value, int pe) {
    (void)value;
    shmem_long_atomic_add(&word, 1, pe);
}
static void by_fetch_inc(long value, int pe) {
    (void)value;
    (void)shmem_long_atomic_fetch_inc(&word, pe);
}
static void by_swap(long value, int pe) {
    (void)shmem_long_atomic_swap(&word, value, pe);
}
static void by_compare_swap(long value, int pe) {
    (void)shmem_long_atomic_compare_swap(&word, value - 1, value, pe);
}
static void by_xor(long value, int pe) {
    shmem_ulong_atomic_xor((unsigned long *)&word, (unsigned long)((value - 1) ^ value), pe);
}
static void by_signal_set(long value, int pe) {
    shmem_signal_set(&signal, (uint64_t)value, pe);
}
static void by_signal_add(long value, int pe) {
    (void)value;
    shmem_signal_add(&signal, 1, pe);
}
static void by_put_signal(long value, int pe) {
    char source = 1;
    shmem_char_put_signal(&byte, &source, 1, &signal, (uint64_t)value, SHMEM_SIGNAL_SET, pe);
}

struct kind {
    const char *name;
    void (*write)(long value, int pe);
};

static const struct kind kinds[] = {
    {"p", by_p},
    {"put", by_put},
    {"put_nbi", by_put_nbi},
    {"putmem", by_putmem},
    {"iput", by_iput},
    {"ibput", by_ibput},
    {"atomic_set", by_set},
    {"atomic_add", by_add},
    {"atomic_fetch_inc", by_fetch_inc},
    {"atomic_swap", by_swap},
    {"atomic_compare_swap", by_compare_swap},
    {"atomic_xor", by_xor},
    {"signal_set", by_signal_set},
    {"signal_add", by_signal_add},
    {"put_signal", by_put_signal},
};
#define FIRST_SIGNAL_KIND 12

// Forms of waiting take turns.
static void wait_for(long value, bool on_signal, int turn) {
    long indices_word = value;
    size_t index;
    if (on_signal) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, (uint64_t)value);
        return;
    }
    switch (turn % 4) {
    case 0: shmem_long_wait_until(&word, SHMEM_CMP_EQ, value); break;
    case 1: shmem_long_wait_until_all(&word, 1, NULL, SHMEM_CMP_EQ, value); break;
    case 2: shmem_long_wait_until_any_vector(&word, 1, NULL, SHMEM_CMP_EQ, &indices_word); break;
    default: shmem_long_wait_until_some(&word, 1, &index, NULL, SHMEM_CMP_GE, value); break;
    }
}

// Both count the requests of all kinds.
static long requests;

static void write_from(const struct kind *kind, int waiter) {
    volatile double *time = shmem_ptr(&sent, waiter); // for a plain store, which wakes nobody
    for (int i = 0;; i++) {
        shmem_long_wait_until(&asked, SHMEM_CMP_EQ, ++requests);
        if (!goes_on) break;
        test_sleep_ms(ASLEEP_MS(i));
        if (time) *time = test_seconds();
        else shmem_double_p(&sent, test_seconds(), waiter); // leaves together with the write
        shmem_fence();
        kind->write(i + 1, waiter);
    }
    shmem_long_p(&answered, requests, waiter);
}

static void ask(bool again, int writer) {
    shmem_long_p(&goes_on, again, writer);
    shmem_fence();
    shmem_long_p(&asked, ++requests, writer);
}

static void wait_for_kind(const struct kind *kind, bool on_signal, int writer) {
    double least = 1;
    int soon = 0;
    word = 0;
    signal = 0;
    for (int i = 0; i < TRIES_MOST && soon < SOON_NEEDED; i++) {
        ask(true, writer);
        wait_for(i + 1, on_signal, i);
        const double delay = test_seconds() - sent;
        if (delay < SOON) soon++;
        if (delay < least) least = delay;
    }
    ask(false, writer);
    shmem_long_wait_until(&answered, SHMEM_CMP_EQ, requests);
    REQUIRE(soon >= SOON_NEEDED, "after %s a sleeper woke within %.0f ms only %d times of %d (once after %.2f ms)",
            kind->name, SOON * 1e3, soon, TRIES_MOST, least * 1e3);
}

int main(void) {
    test_begin();
    int pairs = pes / 2;
    for (int number = me / 2; number < (int)TEST_COUNT(kinds); number += pairs) {
        if (me % 2) wait_for_kind(&kinds[number], number >= FIRST_SIGNAL_KIND, me - 1);
        else write_from(&kinds[number], me + 1);
    }
    return test_end();
}
