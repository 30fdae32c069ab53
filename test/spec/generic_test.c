// SPDX-License-Identifier: BSD-3-Clause
// The C11 type-generic names resolve to the right routine with the right arguments: every pattern for every type
// (written by make_generic_test.py), and here what a program may do besides. No library is linked: see record.h.
#include <shmem.h>

#include "record.h"

// A program's own macros must not get into the names.
#define put broken
#define p broken
#define _g_is_free 1
#define uint unsigned int
#define size 100
#define long_put broken

void check_every_generic(void);

#define CTX ((shmem_ctx_t)mark(0))
#define TEAM ((shmem_team_t)mark(0))

static void names_that_are_routines_too(void) {
    shmem_sync(40, 41, 42, (long *)mark(3));
    EXPECT("shmem_sync", int, 4);
    shmem_signal_add((uint64_t *)mark(0), 41, 42);
    EXPECT("shmem_signal_add", int, 3);
    shmem_signal_set((uint64_t *)mark(0), 41, 42);
    EXPECT("shmem_signal_set", int, 3);

    void (*sync_routine)(int, int, int, long *) = shmem_sync;
    sync_routine(40, 41, 42, (long *)mark(3));
    EXPECT("shmem_sync", int, 4);
    void (*wait_routine)(long *, int, long) = &shmem_wait_until;
    wait_routine((long *)mark(0), 41, 42);
    EXPECT("shmem_TYPENAME_wait_until", long, 3);
    (shmem_signal_set)((uint64_t *)mark(0), 41, 42);
    EXPECT("shmem_signal_set", int, 3);
}

static void arguments_are_evaluated_once(void) {
    long *dest = mark(0);
    int pe = 41;
    shmem_p(dest++, pe++, 42);
    EXPECT("shmem_TYPENAME_p", long, 3);
    EXPECT_NUMBER(1, dest - (long *)mark(0));
    EXPECT_NUMBER(42, pe);
}

static void generics_nest(void) {
    // Inside sizeof the inner calls are expanded and typed like any other, but leave no record.
    EXPECT_NUMBER(RESULT, shmem_g((long *)mark(0), 41));
    EXPECT("shmem_TYPENAME_g", long, 2);
    shmem_p((int *)mark(0), sizeof(shmem_g((char *)mark(0), 41)) + 40, 42);
    EXPECT("shmem_TYPENAME_p", int, 3);
    char *source = mark(0);
    shmem_p((int *)mark(0), 41, (int)sizeof(shmem_g(CTX, source, (int)sizeof(shmem_g(source, 1)))) + 41);
    EXPECT("shmem_TYPENAME_p", int, 3);
}

static void pointers_of_every_shape(void) {
    struct block {
        long head;
        double row[2][4];
    } *block = mark(0);
    shmem_p(&block->head, 41.0, 42);
    EXPECT("shmem_TYPENAME_p", long, 3);
    block = (struct block *)((char *)mark(0) - offsetof(struct block, row));
    shmem_put(block->row[0], mark(1), 42, 43);
    EXPECT("shmem_TYPENAME_put", double, 4);

    enum level { LOW, HIGH };
    shmem_put((enum level *)mark(0), (enum level *)mark(1), 42, 43);
    EXPECT("shmem_TYPENAME_put", unsigned int, 4);

    // Qualifiers do not take part in the selection; a const or volatile source is read all the same.
    const volatile short *source = mark(0);
    EXPECT_NUMBER(RESULT, shmem_g((const short *)source, 41));
    EXPECT("shmem_TYPENAME_g", short, 2);
    EXPECT_NUMBER(2, (long)sizeof(_Generic(shmem_g((const short *)source, 41), short : (short)0)));
}

static void a_value_never_selects(void) {
    shmem_p((char *)mark(0), 41ULL, 42);
    EXPECT("shmem_TYPENAME_p", char, 3);
    shmem_p((unsigned char *)mark(0), 41.0F, 42);
    EXPECT("shmem_TYPENAME_p", unsigned char, 3);
    shmem_atomic_compare_swap(CTX, (long *)mark(1), 42u, (short)43, 44);
    EXPECT("shmem_ctx_TYPENAME_atomic_compare_swap", long, 5);
    shmem_wait_until((unsigned short *)mark(0), 41, 42L);
    EXPECT("shmem_TYPENAME_wait_until", unsigned short, 3);
    shmem_sum_reduce(TEAM, (double _Complex *)mark(1), (double _Complex *)mark(2), 43);
    EXPECT("shmem_TYPENAME_sum_reduce", double _Complex, 4);
}

int main(void) {
    check_every_generic();
    names_that_are_routines_too();
    arguments_are_evaluated_once();
    generics_nest();
    pointers_of_every_shape();
    a_value_never_selects();
    return outcome("generic_test");
}
