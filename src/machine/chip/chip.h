// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share with the machines that use this folder: the job description, the bounds
// of a core's memory, and the services of the host. The host is the machine that the chip is connected to.
#ifndef SKERRY_MACHINE_CHIP_CHIP_H
#define SKERRY_MACHINE_CHIP_CHIP_H

#include <stdlib.h>

#include "../machine.h"

#include "layout.h"

// The C library can be in external memory, which a direct call cannot reach on some chips. The attribute SKERRY_COLD
// makes calls of these two functions long calls, which reach all memory.
int atexit(void (*function)(void)) SKERRY_COLD;
int *__errno(void) SKERRY_COLD;

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

// Addresses that the linker script defines: the beginning of static data, the beginning of the runtime's memory, the
// beginning and the end of the symmetric heap, and the end of the core's memory.
extern char skerry_local_begin[], skerry_system_begin[], skerry_heap_begin[], skerry_heap_end[], skerry_local_end[];

// Writes the line "skerry: PE n: routine: text" to the error output. The marks in `text` are those of skerry_fail_values.
void skerry_write_line(const char *routine, const char *text, const long *values, int count) SKERRY_COLD;

// Services of the host, which the machine's host.c and leave.c define.
int skerry_host_write(int file, const void *bytes, size_t count);
SKERRY_NORETURN void skerry_host_exit(int status);    // ends this core
SKERRY_NORETURN void skerry_host_leave(int status);   // ends this core after main has returned
SKERRY_NORETURN void skerry_host_end_job(int status); // ends all cores

#endif
