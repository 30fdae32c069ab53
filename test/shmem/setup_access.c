// SPDX-License-Identifier: BSD-3-Clause
// Which PEs and addresses are accessible, and pointers to other PEs' objects: static data and heap are, the stack, malloc
// and constants of other libraries are not; a store through shmem_ptr is the owner's value.
// nodes: 1
#include "test.h"

static long in_bss, in_data = 3;
long global_in_bss, global_in_data = 4;

static void require_accessible(volatile long *object, const char *what) {
    for (int pe = 0; pe < pes; pe++) {
        REQUIRE(shmem_addr_accessible((const void *)object, pe) == 1, "%s is not accessible at PE %d", what, pe);
        long *pointer = shmem_ptr((const void *)object, pe);
        REQUIRE(pointer && shmem_team_ptr(SHMEM_TEAM_WORLD, (const void *)object, pe) == pointer, "%s: no pointer",
                what);
    }
    REQUIRE(shmem_addr_accessible((const void *)object, -1) == 0 &&
                shmem_addr_accessible((const void *)object, pes) == 0,
            "%s is accessible at a PE that is not there", what);
    REQUIRE(!shmem_ptr((const void *)object, -1) && !shmem_ptr((const void *)object, pes), "a pointer to no PE");
    *object = 0;
    shmem_barrier_all();
    long *there = shmem_ptr((const void *)object, right_of(me));
    *(volatile long *)there = 100 + me;
    shmem_barrier_all();
    REQUIRE(*object == 100 + left_of(me), "%s: a store through shmem_ptr did not reach the neighbour", what);
    REQUIRE(*(volatile long *)there == shmem_long_g((const long *)object, right_of(me)), "%s: pointer and get differ",
            what);
    long *own = shmem_ptr((const void *)object, me);
    REQUIRE(*(volatile long *)own == *object, "%s: the pointer to this PE's own object", what);
    shmem_barrier_all();
}

int main(void) {
    static long function_static = 7;
    test_begin();
    for (int pe = -2; pe < pes + 3; pe++)
        REQUIRE(shmem_pe_accessible(pe) == (pe >= 0 && pe < pes), "shmem_pe_accessible(%d)", pe);
    REQUIRE(shmem_pe_accessible(1 << 30) == 0 && shmem_pe_accessible(-(1 << 30)) == 0, "far out of range");
    require_accessible(&in_bss, "static data in .bss");
    require_accessible(&in_data, "static data in .data");
    require_accessible(&global_in_bss, "a global in .bss");
    require_accessible(&global_in_data, "a global in .data");
    require_accessible(&function_static, "a function's static");
    long *block = test_malloc(1000 * sizeof *block);
    require_accessible(&block[999], "the heap");
    long on_stack = 1, *from_malloc = malloc(sizeof *from_malloc);
    REQUIRE(from_malloc, "no memory");
    REQUIRE(!shmem_addr_accessible(&on_stack, me) && !shmem_ptr(&on_stack, me), "the stack is not symmetric");
    REQUIRE(!shmem_addr_accessible(from_malloc, me) && !shmem_ptr(from_malloc, me), "malloc's memory is not symmetric");
    REQUIRE(!shmem_addr_accessible(NULL, me) && !shmem_ptr(NULL, me), "NULL is not symmetric");
    free(from_malloc);
    shmem_free(block);
    return test_end();
}
