// SPDX-License-Identifier: BSD-3-Clause
// Declarations that the files of this machine share.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERNAL_H
#define SKERRY_MACHINE_EPIPHANY_INTERNAL_H

#include <stdlib.h>

#include "../machine.h"

// The attribute long_call makes the compiler call by a 32-bit address. It is needed because the C library's code lies
// in external memory, which a direct call does not reach.
int atexit(void (*function)(void)) __attribute__((long_call));
int *__errno(void) __attribute__((long_call));

// The job description, whose words layout.h defines.
struct skerry_job_description {
    uint32_t pes;
    uint32_t columns;
    uint32_t first_core;
    const uint16_t *cores;
    uint32_t clock;
    uint32_t argc;
    char **argv;
    char **environ;
    char *external_begin;
    char *external_end;
};
_Static_assert(sizeof(struct skerry_job_description) == SKERRY_JOB_BYTES, "layout.h says where each word is");
extern struct skerry_job_description skerry_job;

// Addresses that the linker script defines: the beginning of static data, of the runtime's memory and of the symmetric
// heap, the end of the heap, and the end of the core's memory.
extern char skerry_local_begin[], skerry_system_begin[], skerry_heap_begin[], skerry_heap_end[], skerry_local_end[];

// Services of the host (host.c).
int skerry_host_write(int file, const void *bytes, size_t count);
SKERRY_NORETURN void skerry_host_exit(int status);    // ends this core
SKERRY_NORETURN void skerry_host_leave(int status);   // ends this core after main has returned
SKERRY_NORETURN void skerry_host_end_job(int status); // ends all cores

// Words that quiet uses (quiet.S). Quiet stores numbers in other PEs' memory; `number` is the last number that this PE
// sent. `echo` is the address of this PE's element of the array skerry_echo: PE i stores its numbers to element i in
// the memory of other PEs, and no other PE writes that element.
extern struct skerry_quiet_words {
    _Alignas(8) uint32_t number;
    volatile uint32_t *echo;
} skerry_quiet_words;
extern volatile uint32_t skerry_echo[];

// Returns true if an address is in this core's memory, as a short or as a global address.
SKERRY_ALWAYS_INLINE bool skerry_is_own(const void *address) {
    uintptr_t partition = (uintptr_t)address & ~(uintptr_t)SKERRY_PARTITION_MASK;
    return partition == 0 || partition == skerry_partitions[skerry_my_pe()];
}

// The next call of quiet waits until the stores to this address have arrived; NULL: there are no such stores. A get
// that copies to another core's memory or to external memory stores the address of the last byte here, after the copy.
// skerry_note_stores stores an address here after stores to external memory (outside.c). While the data of a
// non-blocking get is on its way, the word can contain &skerry_got instead (get.c).
extern const volatile void *volatile skerry_written_outside;

#endif
