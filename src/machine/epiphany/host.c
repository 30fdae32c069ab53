// SPDX-License-Identifier: BSD-3-Clause
// Requests error output and exit, the two services of the host that every program needs. The host is the machine that
// the chip is connected to. A program requests a service by a trap instruction, which a simulator or a debugger
// handles. The numbers of the traps and their registers are those of libgloss, newlib's code for boards. One trap is
// Skerry's own: it ends all cores.
//
// For a board without simulator and debugger, replace this file and host.h. The new code would send the requests
// through memory that chip and host share. No other file needs a change.
#include "host.h"
#include "internal.h"

int skerry_host_write(int file, const void *bytes, size_t count) {
    register long r0 __asm__("r0") = file;
    register long r1 __asm__("r1") = (long)bytes;
    register long r2 __asm__("r2") = (long)count;
    register long r3 __asm__("r3") = 0;
    __asm__ volatile("trap %4" : "+r"(r0), "+r"(r3) : "r"(r1), "r"(r2), "i"(TRAP_WRITE) : "memory", "cc");
    return (int)r0;
}

void skerry_host_exit(int status) {
    register long r0 __asm__("r0") = status;
    for (;;) __asm__ volatile("trap %1" : : "r"(r0), "i"(TRAP_EXIT) : "memory");
}

void skerry_host_end_job(int status) {
    register long r0 __asm__("r0") = status;
    register long r3 __asm__("r3") = CALL_END_JOB;
    for (;;) __asm__ volatile("trap %2" : : "r"(r0), "r"(r3), "i"(TRAP_OTHER) : "memory");
}
