// SPDX-License-Identifier: BSD-3-Clause
// Counts the threads of this machine that can run (proc(5), /proc/loadavg, the fourth field). If this number is larger
// than the number of threads of a job or process that can run, another program computes. The two numbers are read at
// different times, so the comparison is only a guess. A thread that was just woken can run, but its job or process
// counts it as a sleeper until it runs. So the comparison more often reports another program that does not exist than
// it misses one that exists.
#ifndef SKERRY_MACHINE_LINUX_RUNNABLE_H
#define SKERRY_MACHINE_LINUX_RUNNABLE_H

#include "../machine.h"

// Returns the number of threads of this machine that can run, or 0 if the kernel does not report it. Takes some
// microseconds.
SKERRY_PRIVATE long skerry_runnable_threads(void);

#endif
