// SPDX-License-Identifier: BSD-3-Clause
// Declares the data that a wait keeps about its sleeps (eventcount.h). This header is installed, because inlined
// routines contain waits, and each wait has this struct as a local variable.
#ifndef SKERRY_MACHINE_LINUX_SLEEP_H
#define SKERRY_MACHINE_LINUX_SLEEP_H

#include <stdint.h>

struct skerry_sleep {
    uint32_t armed;      // 1: this thread has announced that it will sleep
    uint32_t seen;       // the eventcount's number of notifications before the announcement
    uint32_t sleeps;     // number of sleeps of this wait
    uint32_t notified;   // number of notifications after which the word had not changed
    uint32_t backed_off; // value of `notified` at the last backoff
};

#endif
