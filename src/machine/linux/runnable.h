// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads of this machine that can run (proc(5), /proc/loadavg, the fourth field). The waits compare this
// number with the number of threads of their job or process that can run. If it is larger, another program computes.
// The two numbers are read at different times, so the comparison is only a guess:
// * A thread that was just woken can run, but its job or process counts it as a sleeper until it runs.
// * So the comparison more often reports a program that does not exist than it misses a program that exists.
#ifndef SKERRY_MACHINE_LINUX_RUNNABLE_H
#define SKERRY_MACHINE_LINUX_RUNNABLE_H

#include "../machine.h"

// Returns the number of threads of this machine that can run, or 0 if the kernel does not report it. Takes some
// microseconds.
SKERRY_PRIVATE long skerry_runnable_threads(void);

#endif
