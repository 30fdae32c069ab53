// SPDX-License-Identifier: BSD-3-Clause
// Services that a program needs from the host, the machine that the chip is connected to: error output and exit. Here
// they are traps, which a simulator or a debugger handles. For a board without either, this file and host_library.c are
// replaced by mailboxes in shared memory, and the rest of an image stays. The traps and their registers are those of
// libgloss, and one trap of Skerry's that ends all cores.
#include <sys/reent.h>

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

// These two are the work of exit(), as far as the program contains it: calling the functions registered for exit, and
// flushing the C library's open files. A call of exit() itself would link both into every program.
extern void __call_exitprocs(int status, void *handle) __attribute__((weak));
#pragma weak _global_impure_ptr

void skerry_host_leave(int status) {
    if (__call_exitprocs) __call_exitprocs(status, 0);
    if (&_global_impure_ptr && _global_impure_ptr->__cleanup) _global_impure_ptr->__cleanup(_global_impure_ptr);
    skerry_host_exit(status);
}
