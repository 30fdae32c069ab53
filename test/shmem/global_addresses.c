// SPDX-License-Identifier: BSD-3-Clause
// Global addresses name the objects of every PE, near or far: they are the same in every PE, tell their owner, and serve as
// symmetric addresses. Those that can be accessed are those of shmem_ptr.
#include "test.h"

#include <shmemx.h>

static long numbers[4];
static void *names[64]; // names[p]: what PE p says is its own name for `numbers`

static void require_name(long *object, int pe) {
    long *name = shmemx_global(object, pe);
    long *pointer = shmem_ptr(object, pe);
    REQUIRE(name != NULL && (pointer == NULL || pointer == name), "PE %d: %p, and shmem_ptr %p", pe, (void *)name,
            (void *)pointer);
    REQUIRE(shmemx_owner(name) == pe, "the owner of %p is PE %d, not %d", (void *)name, shmemx_owner(name), pe);
    REQUIRE((long *)shmemx_global(object + 3, pe) == name + 3, "addresses of an array's elements");
    REQUIRE(shmemx_global(name, me) == shmemx_global(object, me), "from PE %d's address to the own", pe);
#ifdef shmemx_localize // only machines with remote procedure calls have it
    REQUIRE(shmemx_localize(name) == (pe == me ? object : name), "PE %d: localize gives %p of %p", pe,
            (void *)shmemx_localize(name), (void *)name);
#endif
    shmem_long_p(shmemx_global(object + 1, me), 70 + me, pe);
    shmem_quiet();
}

int main(void) {
    test_begin();
    long *in_heap = shmem_calloc(4, sizeof *in_heap);
    for (int pe = 0; pe < pes; pe++) {
        void *own = shmemx_global(numbers, me);
        shmem_putmem(&names[me], &own, sizeof own, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < pes; pe++)
        REQUIRE(names[pe] == shmemx_global(numbers, pe), "PE %d has another name for its own object", pe);
    for (int i = 0; i < pes; i++) {
        if (i == me) {
            require_name(numbers, right_of(me));
            require_name(in_heap, right_of(me));
        }
        shmem_barrier_all();
    }
    REQUIRE(numbers[1] == 70 + left_of(me) && in_heap[1] == 70 + left_of(me), "a put to a name: %ld", numbers[1]);
    long on_stack = 0;
    REQUIRE(shmemx_global(numbers, pes) == NULL && shmemx_global(numbers, -1) == NULL, "an address of no PE");
    REQUIRE(shmemx_global(&on_stack, me) == NULL && shmemx_owner(&on_stack) == -1, "an address that is not symmetric");
    REQUIRE(shmemx_owner(numbers) == me && shmemx_owner(in_heap) == me && shmemx_owner(NULL) == -1, "own addresses");
    shmem_free(in_heap);
    return test_end();
}
