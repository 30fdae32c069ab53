// SPDX-License-Identifier: BSD-3-Clause
// Defines the contract's functions about the job (skerry_job_*) for a machine without a launcher. These functions do
// nothing, because no launcher reads the state of a PE. Such a machine's machine.h defines SKERRY_ALWAYS_INLINE and
// then includes this file.
#ifndef SKERRY_MACHINE_DEFAULTS_NO_LAUNCHER_H
#define SKERRY_MACHINE_DEFAULTS_NO_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

struct skerry_model;

SKERRY_ALWAYS_INLINE void skerry_job_enter(const struct skerry_model *model) {
    (void)model;
}

SKERRY_ALWAYS_INLINE void skerry_job_open(void) {
}

SKERRY_ALWAYS_INLINE bool skerry_job_is_open(void) {
    return true;
}

SKERRY_ALWAYS_INLINE void skerry_job_leave(const struct skerry_model *model) {
    (void)model;
}

SKERRY_ALWAYS_INLINE void skerry_job_report_unfinished(bool refuse) {
    (void)refuse;
}

SKERRY_ALWAYS_INLINE void skerry_job_note_heap(size_t peak_bytes) {
    (void)peak_bytes;
}

#endif
