// SPDX-License-Identifier: BSD-3-Clause
// Records which programming models (OpenSHMEM, AOS and others) this PE has entered and not left, and acts at the
// program's end:
// * A program can return 0 from main, or call exit(0), before it has called its finalize routine. Then the library
//   finalizes in the program's place. Without this, the other PEs would wait in their finalize for ever.
// * The library finalizes only in the main thread, and not in a handler of a request. Finalizing anywhere else would
//   not be safe.
// * If a PE ends in any other way, the launcher decides whether the PE has failed. It uses the exit code, and the state
//   that the PE has stored in its control block (../job.h).
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "internal.h"

// These variables are used without a lock. Set-up and exit are collective, and no two threads of a PE execute them at
// the same time.
#define MODELS_MAX 4
static struct entry {
    const struct skerry_model *model;
    int begun, ended;
} entries[MODELS_MAX];
static bool finishing; // true: the library finalizes in the program's place

static struct skerry_control *own_control(void) {
    return skerry_control_of(skerry_facts.my_pe);
}

static void set_state(uint32_t state) {
    __atomic_store_n(&own_control()->state, state, __ATOMIC_RELEASE);
    skerry_note_can_run(state == SKERRY_PE_RUNNING);
}

static struct entry *entry_of(const struct skerry_model *model) {
    for (struct entry *entry = entries; entry < entries + MODELS_MAX; entry++) {
        if (!entry->model) entry->model = model;
        if (entry->model == model) return entry;
    }
    skerry_refuse("%s: more than %d programming models in one program", model->init, MODELS_MAX);
}

// Returns the number of models that this PE has entered and not left. Also writes a text about them to the control
// block (where the launcher reads it), for error messages ("without shmem_finalize"). The text describes the calls that
// the program has not made. So it is not changed while the library finalizes in the program's place.
static int describe_unfinished(void) {
    char text[sizeof own_control()->unfinished] = "";
    size_t length = 0;
    int count = 0;
    for (const struct entry *entry = entries; entry < entries + MODELS_MAX && entry->model; entry++) {
        if (entry->begun == entry->ended) continue;
        const char *joint = count++ ? " and " : "";
        int added = entry->ended == 0
                        ? snprintf(text + length, sizeof text - length, "%swithout %s", joint, entry->model->finalize)
                        : snprintf(text + length, sizeof text - length, "%swith %d %s for %d %s", joint, entry->ended,
                                   entry->model->finalize, entry->begun, entry->model->init);
        length += (size_t)added;
        if (length >= sizeof text) break;
    }
    if (!finishing) memcpy(own_control()->unfinished, text, sizeof text);
    return count;
}

void skerry_job_enter(const struct skerry_model *model) {
    static bool printed;
    entry_of(model)->begun++;
    describe_unfinished();
    set_state(SKERRY_PE_RUNNING); // before the calls below, in which this PE waits for other PEs
    skerry_managed_enter();
    skerry_far_begin();
    if (!printed && skerry_facts.my_pe == 0) skerry_print_environment();
    printed = true;
}

void skerry_job_leave(const struct skerry_model *model) {
    struct entry *entry = entry_of(model);
    if (++entry->ended == entry->begun) entry->begun = entry->ended = 0;
    if (describe_unfinished() > 0) return;
    skerry_far_end();
    set_state(SKERRY_PE_FINALIZED);
    skerry_managed_leave();
}

void skerry_job_leave_all(void) {
    memset(entries, 0, sizeof entries);
    describe_unfinished();
    set_state(SKERRY_PE_FINALIZED);
    skerry_managed_leave();
}

void skerry_job_exit(int status) {
    own_control()->exit_code = status;
    set_state(SKERRY_PE_GLOBAL_EXIT);
    exit(status);
}

void skerry_job_report_unfinished(bool refuse) {
    const char *what = own_control()->unfinished;
    if (refuse) skerry_refuse("exited %s; each initialisation needs one finalisation", what);
    if (!__atomic_exchange_n(&skerry_first_control()->warning_told, 1, __ATOMIC_ACQ_REL))
        skerry_say("exited %s; each initialisation needs one finalisation, and the library now makes the missing ones",
                   what);
}

// Returns false in a forked child, which has copies of this file's variables but is no PE.
static bool is_this_pe(void) {
    return getpid() == own_control()->process_id;
}

// Returns true if the process ends with exit code 0. `status` is the argument of exit. The exit code is the lower eight
// bits of `status`.
static bool is_success(int status) {
    return (status & 0xff) == 0;
}

static void finish_for_program(int status, void *nothing) {
    (void)nothing;
    bool in_main_thread = syscall(SYS_gettid) == getpid();
    if (!is_success(status) || !is_this_pe() || !in_main_thread || skerry_in_handler()) return;
    if (__atomic_load_n(&own_control()->state, __ATOMIC_ACQUIRE) != SKERRY_PE_RUNNING) return;
    // When this function runs, the libraries of the network module have already ended. So Skerry's library can no
    // longer finalize in the program's place.
    if (skerry_has_far_pes())
        skerry_refuse("exited %s; in a job of several nodes each initialisation needs one finalisation",
                      own_control()->unfinished);
    finishing = true;
    fflush(stdout);
    set_state(SKERRY_PE_EXITING);
    for (int i = 0; i < MODELS_MAX && entries[i].model; i++) entries[i].model->finish();
}

// Reports to the process manager (the program that started the job, such as srun) how this PE ends. Runs after
// finish_for_program.
static void end_managed(int status, void *nothing) {
    (void)nothing;
    if (!is_this_pe()) return;
    const uint32_t state = __atomic_load_n(&own_control()->state, __ATOMIC_ACQUIRE);
    const bool is_exit = state == SKERRY_PE_GLOBAL_EXIT;
    if (!is_exit && state != SKERRY_PE_RUNNING && state != SKERRY_PE_EXITING) {
        if (state == SKERRY_PE_ATTACHED) {
            skerry_leave_neighbours_early();
            skerry_leave_ring_early();
        }
        skerry_managed_leave();
        return;
    }
    const int code = status & 0xff;
    fflush(stdout);
    if ((code || !is_exit) && !__atomic_exchange_n(&skerry_first_control()->failure_told, 1, __ATOMIC_ACQ_REL)) {
        if (is_exit) skerry_say("called shmem_global_exit with status %d; job stopped", code);
        else if (code) skerry_say("exited with code %d; job stopped", code);
        else skerry_say("exited %s; job stopped", own_control()->unfinished);
    }
    const int job_code = code || is_exit ? code : 1;
    skerry_fail_managed_job(job_code);
    _exit(job_code);
}

// Registers finish_for_program and end_managed. Called before main. Functions that are registered for exit run in
// reverse order. So finish_for_program runs after all functions that the program registers, and after the destructors
// of static objects. All of these can still call the finalize routine.
void skerry_watch_end(void) {
    if (skerry_job.managed) on_exit(end_managed, NULL);
    on_exit(finish_for_program, NULL);
}

// Calls the function if the program ends with exit code 0. ISO C forbids conversion between pointers to functions and
// to objects. So the bytes of the pointer are copied.
static void call_if_ended_well(int status, void *argument) {
    void (*function)(void);
    memcpy(&function, &argument, sizeof function);
    if (is_success(status) && is_this_pe()) function();
}

void skerry_at_exit(void (*function)(void)) {
    void *argument;
    memcpy(&argument, &function, sizeof argument);
    on_exit(call_if_ended_well, argument);
}
