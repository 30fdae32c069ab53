// SPDX-License-Identifier: BSD-3-Clause
// Defines the routines of OpenMP that return or change properties of threads and of the program.
#include "small.h"

int omp_get_thread_num(void);
int omp_get_thread_num(void) {
    return (int)skerry_omp_self.thread;
}

int omp_get_num_threads(void);
int omp_get_num_threads(void) {
    return (int)skerry_omp_self.threads;
}

int omp_get_max_threads(void);
int omp_get_max_threads(void) {
    return (int)skerry_omp_self.settings->threads;
}

void omp_set_num_threads(int threads);
void omp_set_num_threads(int threads) {
    skerry_omp_own_settings()->threads = (uint32_t)(threads < 1 ? 1 : threads);
}

int omp_get_num_procs(void);
int omp_get_num_procs(void) {
    return skerry_pe_count();
}

int omp_get_thread_limit(void);
int omp_get_thread_limit(void) {
    return skerry_pe_count();
}

int omp_in_parallel(void);
int omp_in_parallel(void) {
    return skerry_omp_self.active_level > 0;
}

int omp_get_level(void);
int omp_get_level(void) {
    return (int)skerry_omp_self.level;
}

int omp_get_active_level(void);
int omp_get_active_level(void) {
    return (int)skerry_omp_self.active_level;
}

// The only region that can have more than one thread is the one at level 1.
int omp_get_ancestor_thread_num(int level);
int omp_get_ancestor_thread_num(int level) {
    const struct omp_self *self = &skerry_omp_self;
    if (level < 0 || (uint32_t)level > self->level) return -1;
    return level == 1 && self->active_level > 0 ? skerry_my_pe() : 0;
}

int omp_get_team_size(int level);
int omp_get_team_size(int level) {
    const struct omp_self *self = &skerry_omp_self;
    if (level < 0 || (uint32_t)level > self->level) return -1;
    return level == 1 && self->active_level > 0 ? (int)skerry_omp_team_threads() : 1;
}

// Nested regions are serial.
int omp_get_max_active_levels(void);
int omp_get_max_active_levels(void) {
    return 1;
}

int omp_get_supported_active_levels(void);
int omp_get_supported_active_levels(void) {
    return 1;
}

void omp_set_max_active_levels(int levels);
void omp_set_max_active_levels(int levels) {
    if (levels > 1) skerry_omp_warn_of_nesting();
}

void omp_set_nested(int nested);
void omp_set_nested(int nested) {
    if (nested) skerry_omp_warn_of_nesting();
}

int omp_get_nested(void);
int omp_get_nested(void) {
    return 0;
}

void omp_set_dynamic(int dynamic);
void omp_set_dynamic(int dynamic) {
    (void)dynamic; // a region always has the number of threads that the program asks for, or one for each core
}

int omp_get_dynamic(void);
int omp_get_dynamic(void) {
    return 0;
}

void omp_set_schedule(unsigned kind, int chunk);
void omp_set_schedule(unsigned kind, int chunk) {
    const unsigned schedule = kind & ~OMP_MONOTONIC;
    if (schedule < OMP_STATIC || schedule > OMP_AUTO) return;
    struct omp_settings *settings = skerry_omp_own_settings();
    settings->schedule = kind;
    settings->chunk = chunk > 0 ? (unsigned long)chunk : schedule != OMP_STATIC;
}

void omp_get_schedule(unsigned *kind, int *chunk);
void omp_get_schedule(unsigned *kind, int *chunk) {
    *kind = skerry_omp_self.settings->schedule;
    *chunk = (int)skerry_omp_self.settings->chunk;
}

int omp_get_cancellation(void);
int omp_get_cancellation(void) {
    return 0;
}

int omp_get_proc_bind(void);
int omp_get_proc_bind(void) {
    return 0; // omp_proc_bind_false: a thread stays on its core anyway
}

int omp_get_num_teams(void);
int omp_get_num_teams(void) {
    return 1;
}

int omp_get_team_num(void);
int omp_get_team_num(void) {
    return 0;
}

int omp_get_max_task_priority(void);
int omp_get_max_task_priority(void) {
    return 0;
}

int omp_in_final(void);
int omp_in_final(void) {
    return skerry_omp_self.is_final;
}

int omp_in_explicit_task(void);
int omp_in_explicit_task(void) {
    return skerry_omp_self.task != NULL;
}

int omp_get_num_devices(void);
int omp_get_num_devices(void) {
    return 0;
}

int omp_get_default_device(void);
int omp_get_default_device(void) {
    return 0;
}

int omp_get_initial_device(void);
int omp_get_initial_device(void) {
    return 0;
}

int omp_is_initial_device(void);
int omp_is_initial_device(void) {
    return 1;
}

double omp_get_wtime(void);
double omp_get_wtime(void) {
    return (double)skerry_ticks() / (double)skerry_ticks_per_second();
}

double omp_get_wtick(void);
double omp_get_wtick(void) {
    return 1.0 / (double)skerry_ticks_per_second();
}
