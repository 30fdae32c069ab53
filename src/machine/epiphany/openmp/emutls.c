// SPDX-License-Identifier: BSD-3-Clause
// Gives each core its own copy of thread-local variables (threadprivate, __thread). The compiler has no thread pointer for
// this core. It describes a variable by a block of four words, and calls __emutls_get_address for the variable's address.
// The linker script puts the blocks into each core's memory. So a core finds its copy in its own block, and takes memory
// for it at the first use, behind the data of this core. Copies are never freed, because a core has one thread.
#include "core.h"

#include <string.h>

struct variable {
    uint32_t bytes, alignment; // a power of two
    void *copy;                // this core's copy; NULL before its first use
    const void *initial;       // NULL: the initial value is 0
};

extern char skerry_own_end[], skerry_first_core_end[], skerry_stack_limit[]; // linker script; offsets in a core

void *__emutls_get_address(struct variable *variable);
void *__emutls_get_address(struct variable *variable) {
    static uintptr_t free_from; // offset
    if (variable->copy) return variable->copy;
    if (!free_from) free_from = (uintptr_t)(skerry_my_pe() == 0 ? skerry_first_core_end : skerry_own_end);
    const uintptr_t at = (free_from + variable->alignment - 1) & ~(uintptr_t)(variable->alignment - 1);
    const uintptr_t end = (uintptr_t)skerry_stack_limit;
    if (at > end || variable->bytes > end - at)
        skerry_stop("threadprivate: the thread's copies of the variables do not fit its core's memory");
    free_from = at + variable->bytes;
    void *copy = (void *)(skerry_partitions[skerry_my_pe()] | at);
    if (variable->initial) memcpy(copy, variable->initial, variable->bytes);
    else memset(copy, 0, variable->bytes);
    variable->copy = copy;
    return copy;
}
