// SPDX-License-Identifier: BSD-3-Clause
// Environment variables (OpenMP 5.0, chapter 6): read once, before the first construct.
#include "group.h"
#include "mutex.h"

static bool read_number(const char *name, uint32_t *value) {
    const char *text = skerry_environment(name);
    if (!text || !*text) return false;
    uint32_t number = 0;
    for (; *text >= '0' && *text <= '9'; text++) number = number * 10 + (uint32_t)(*text - '0');
    if (*text || !number) return false;
    *value = number;
    return true;
}

void skerry_omp_begin(void) {
    static uint32_t lock, done;
    omp_mutex_take(&lock);
    if (!done) {
        struct omp_icv *icv = &skerry_omp_initial_icv;
        icv->threads = (uint32_t)skerry_processors();
        icv->thread_limit = UINT32_MAX;
        icv->schedule = OMP_SCHEDULE_DYNAMIC;
        icv->chunk = 1;
        icv->max_active_levels = 1;
        icv->allocator = 1;
        read_number("OMP_NUM_THREADS", &icv->threads);
        done = 1;
    }
    omp_mutex_give(&lock);
}

void skerry_omp_warn_of_fewer(uint32_t threads, uint32_t wanted) {
    (void)threads;
    (void)wanted;
}
