// SPDX-License-Identifier: BSD-3-Clause
// Starts programs on the other PEs of a job, and waits for their end (../contract/programs.h). A job of several programs has
// all PEs of the chip from the beginning: I/O nodes and clusters. Only the cores of PE 0 are started. skerry-sim loads a
// program into another PE's memory, and starts its cores, when PE 0 asks for it.
//
// skerry-sim recognises the first program of such a job by the function skerry_program_start.
//
// test/model/mppa_programs.pml checks how a program joins and ends, and how the next one takes over its jobs and answers.
#pragma GCC optimize "O2"
#include "../chip/chip.h"
#include "host.h" // ../riscv
#include "jobs.h"
#include "start.h"

#define BUSY 16 // error number of the host: EBUSY

// What skerry-sim reads (sim/chip/programs.hpp).
struct description {
    const char *name; // NULL: the first program, which only serves
    const char *const *arguments;
    const char *const *environment;
    char *text;
    uint32_t text_bytes;
};

bool skerry_programs_admit(int at_once) {
    (void)at_once;
    return skerry_has_programs() && skerry_facts.my_pe == 0;
}

static uint32_t state_of(int pe) {
    return SKERRY_LOAD_ACQUIRE(&skerry_outcomes[pe]) & SKERRY_OUTCOME_STATE;
}

// Writes a line that consists of `count` parts.
static void say(const char *const *parts, size_t count) {
    char line[512];
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        for (const char *at = parts[i]; *at && length < sizeof line - 1; at++) line[length++] = *at;
    line[length++] = '\n';
    skerry_host_write(2, line, length);
}

static void say_not_started(const char *title, const char *name, const char *reason) {
    const char *const parts[] = {"skerry: PE 0: cannot start ", name, " for ", title, ": ", reason};
    say(parts, sizeof parts / sizeof *parts);
}

// Stops the server of the PE's earlier program. It has told where the next one goes on.
static void stop_server(int pe) {
    struct skerry_requester *own = skerry_own_requester();
    const uint32_t nothing = 0;
    skerry_send_job(own, SKERRY_MPPA_JOB_STOP, pe, 2, &nothing);
    skerry_await_answers(own);
}

// The last PE runs nothing but a server, which opens its DDR (skerry_open_second_memory).
static bool serves_last;

static bool start(int pe, const char *title, const char *name, const struct description *description) {
    if (state_of(pe) == SKERRY_PROGRAM_RUNS) {
        say_not_started(title, name, "the program that was started there before still runs");
        return false;
    }
    if (skerry_host_request(SKERRY_HOST_CHECK_PROGRAM, pe, (long)description, 0) != 0) {
        say_not_started(title, name, description->text);
        return false;
    }
    const bool is_next = state_of(pe) == SKERRY_PROGRAM_ENDED || (serves_last && pe == skerry_facts.pe_count - 1);
    if (is_next) stop_server(pe);
    if (pe == skerry_facts.pe_count - 1) serves_last = false;
    skerry_outcomes[pe] = SKERRY_PROGRAM_RUNS;
    long error;
    do error = skerry_host_request(SKERRY_HOST_START_PROGRAM, pe, (long)description, 0);
    while (error == -BUSY);
    if (error == 0) return true;
    skerry_outcomes[pe] = SKERRY_NO_PROGRAM;
    say_not_started(title, name, description->text);
    if (is_next) skerry_host_end_job(1); // nobody executes the PE's jobs any more, so other PEs could wait for ever
    return false;
}

// A holder of this lock waits for servers of other PEs, which can wait until this PE's server has executed their replies. So
// this server executes replies while it waits for the lock.
static uint32_t start_lock;

static void lock_starts(void) {
    while (__atomic_exchange_n(&start_lock, 1, __ATOMIC_ACQUIRE))
        if (skerry_worker_number == SKERRY_MPPA_SERVER) skerry_server_run_replies();
}

static void unlock_starts(void) {
    __atomic_store_n(&start_lock, 0, __ATOMIC_RELEASE);
}

bool skerry_program_start(int pe, const char *title, const char *name, const char *const *arguments,
                          const char *const *environment) {
    char text[256] = "the host refused the request";
    const struct description description = {name, arguments, environment, text, sizeof text};
    lock_starts();
    const bool is_started = start(pe, title, name, &description);
    unlock_starts();
    return is_started;
}

// Starts the last PE without a program: this program's image, whose first core only opens the DDR. Returns false if the host
// refuses.
static bool start_server_of_last(void) {
    char text[256] = "the host refused the request";
    const char *const nothing[] = {NULL};
    const struct description description = {NULL, nothing, nothing, text, sizeof text};
    if (skerry_host_request(SKERRY_HOST_START_PROGRAM, skerry_facts.pe_count - 1, (long)&description, 0) != 0) {
        const char *const parts[] = {"skerry: PE 0: cannot use the DDR of the second I/O node: ", text};
        say(parts, sizeof parts / sizeof *parts);
        return false;
    }
    serves_last = true;
    return true;
}

// Each program of the last PE opens the DDR when it begins, and the server of a program that has ended still answers. So only a
// PE that has never had a program needs a server of its own. The lock is held until the DDR is open: only then may `start` send
// jobs to that server.
bool skerry_open_second_memory(void) {
    lock_starts();
    const bool has_program = state_of(skerry_facts.pe_count - 1) != SKERRY_NO_PROGRAM;
    const bool is_begun = has_program || serves_last || start_server_of_last();
    while (is_begun && !SKERRY_LOAD_ACQUIRE(&skerry_ddr_is_open))
        if (skerry_worker_number == SKERRY_MPPA_SERVER) skerry_server_run_replies();
    unlock_starts();
    return is_begun;
}

bool skerry_program_runs(int pe) {
    return state_of(pe) == SKERRY_PROGRAM_RUNS;
}

int skerry_program_wait(int pe) {
    while (state_of(pe) == SKERRY_PROGRAM_RUNS) {
    }
    const uint32_t outcome = skerry_outcomes[pe];
    return (outcome & SKERRY_OUTCOME_STATE) == SKERRY_PROGRAM_ENDED ? (int)(outcome >> SKERRY_OUTCOME_CODE_SHIFT) : -1;
}

// Cycles that programs have to end when PE 0's program ends. mppa_rpc_server_start waits until they have ended the use of the
// library, and not until they have ended. Some published programs have clusters that never end.
#define LAST_CYCLES 1000000u

void skerry_await_programs(void) {
    const uint64_t begin = skerry_ticks();
    for (int pe = 1; pe < skerry_facts.pe_count; pe++)
        while (state_of(pe) == SKERRY_PROGRAM_RUNS && skerry_ticks() - begin < LAST_CYCLES) {
        }
}
