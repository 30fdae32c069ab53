// SPDX-License-Identifier: BSD-3-Clause
// Lets the kernel kill this process some seconds after the time limit of the job (oshrun --timeout). Usually the launcher has
// killed the PEs by then. But PEs that poll or yield can keep the launcher from the processors: some jobs of 64 PEs on two
// processors did so for 6 to 60 s (docs/design/clusters.md). The kernel's timer needs no other process, and PEs that run, which
// keep the others from the processors, end at once.
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define SECOND UINT64_C(1000000000) // nanoseconds

// Uses the system calls, because timer_create of older C libraries needs one more library. If the kernel refuses the timer, only
// the launcher ends this process.
void skerry_let_kernel_kill_at(uint64_t nanoseconds) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
    const struct itimerspec at = {.it_value = {(time_t)(nanoseconds / SECOND), (long)(nanoseconds % SECOND)}};
    int timer; // the kernel's type
    if (syscall(SYS_timer_create, CLOCK_MONOTONIC, &event, &timer) == 0)
        syscall(SYS_timer_settime, timer, TIMER_ABSTIME, &at, NULL);
}
