// SPDX-License-Identifier: BSD-3-Clause
// What the files of this machine share.
#ifndef SKERRY_MACHINE_EPIPHANY_INTERNAL_H
#define SKERRY_MACHINE_EPIPHANY_INTERNAL_H

#include <stdlib.h>

#include "../machine.h"

// The C library's code lies in external memory, further than a direct call reaches.
int atexit(void (*function)(void)) __attribute__((long_call));
int *__errno(void) __attribute__((long_call));

// The words of layout.h.
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

// Places that the linker script gives: the first bytes behind the program, the runtime's memory and the symmetric heap.
extern char skerry_local_begin[], skerry_system_begin[], skerry_heap_begin[], skerry_heap_end[], skerry_local_end[];

// The services of whoever runs this core (host.c).
int skerry_host_write(int file, const void *bytes, size_t count);
SKERRY_NORETURN void skerry_host_exit(int status);    // of this core
SKERRY_NORETURN void skerry_host_leave(int status);   // the same at the end of main
SKERRY_NORETURN void skerry_host_end_job(int status); // of all

// What quiet sends (quiet.S): the number of the last, and where it goes in another PE's memory. Element i of skerry_echo is
// written by PE i only.
extern struct skerry_quiet_words {
    _Alignas(8) uint32_t number;
    volatile uint32_t *echo;
} skerry_quiet_words;
extern volatile uint32_t skerry_echo[];

// Whether an address is in this core's memory, as the short address or as the global one.
SKERRY_ALWAYS_INLINE bool skerry_is_own(const void *address) {
    uintptr_t partition = (uintptr_t)address & ~(uintptr_t)SKERRY_PARTITION_MASK;
    return partition == 0 || partition == skerry_partitions[skerry_my_pe()];
}

// The last place outside this core's memory into which a get has copied, for quiet; 0: none. Set behind the copy.
extern const volatile void *volatile skerry_written_outside;

#endif
