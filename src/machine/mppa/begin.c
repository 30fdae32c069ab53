// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the program of a PE. Each core finds out its PE, which is its cluster, and its number in the cluster. The
// first core sets up the PE and runs main as worker 0 (../cluster). The last core, the resource manager, runs the server.
// The others are workers, which sleep until OpenMP gives them a function to run.
//
// This file is compiled as a part of the workers, like those of ../cluster. start.h is the border to the PE's part.
#include "../cluster/internal.h"
#include "start.h"

#include "host.h" // ../riscv

int skerry_cores_of_job = 1;

#define CORES 17u // of a cluster
#define SERVER (CORES - 1)

extern const char skerry_main_stack_bytes[], skerry_server_stack_bytes[]; // mppa.ld; their addresses are the sizes

static volatile uint32_t is_set_up; // the first core has set up the PE

static SKERRY_NORETURN void stop_wrong_job(void) {
    skerry_stop("skerry: this program runs on whole clusters of an MPPA, and needs the job's description that oshrun "
                "writes: start it with oshrun --machine mppa");
}

static void run_program(void *unused) {
    (void)unused;
    skerry_run_main();
}

// Sets the addresses by which the workers of this cluster wake each other.
static void find_workers(uint32_t first) {
    skerry_cores_of_job = SERVER;
    for (uint32_t i = 0; i < CORES; i++) {
        const uintptr_t core = (uintptr_t)skerry_core_number(first + i) << SKERRY_CORE_SHIFT;
        skerry_cores[i].interrupt = (volatile uint32_t *)(core + SKERRY_INTERRUPT_REGISTER);
    }
}

void skerry_wake_server(void) {
    *skerry_cores[SERVER].interrupt = 1;
}

// The server executes most jobs on the stack in its core's own memory, which is fast but small. Messages run functions of
// the programming models. For them it has a stack and thread-local variables as a worker has.
static void *server_stack;

static void set_worker_number(void *unused) {
    (void)unused;
    skerry_worker_number = SERVER;
}

static void prepare_server(void) {
    struct skerry_core *server = &skerry_cores[SERVER];
    if (!skerry_worker_take_stack(server, (size_t)skerry_server_stack_bytes))
        skerry_stop("skerry: no memory for the stack of the server");
    server_stack = skerry_worker_set_variables(server);
    skerry_call_on_stack(server_stack, server->variables, set_worker_number, NULL);
}

struct call {
    void (*function)(void *);
    void *argument;
};

// skerry-sim stops a core whose stack pointer is below the limit.
static void call_with_limit(void *given) {
    const struct call *call = given;
    *(const char *volatile *)SKERRY_STACK_LIMIT_REGISTER = skerry_cores[SERVER].stack;
    call->function(call->argument);
    *(const char *volatile *)SKERRY_STACK_LIMIT_REGISTER = NULL;
}

static bool is_on_server_stack;

void skerry_call_on_server_stack(void (*function)(void *), void *argument) {
    if (is_on_server_stack) {
        function(argument);
        return;
    }
    struct call call = {function, argument};
    is_on_server_stack = true;
    skerry_call_on_stack(server_stack, skerry_cores[SERVER].variables, call_with_limit, &call);
    is_on_server_stack = false;
}

static SKERRY_NORETURN void begin_pe(uint32_t place) {
    struct skerry_core *core = &skerry_cores[0];
    skerry_pe_begin((int)(place / CORES), (int)(skerry_job.cores / CORES));
    find_workers(place);
    core->busy = 1;
    core->main = run_program;
    if (!skerry_worker_take_stack(core, (size_t)skerry_main_stack_bytes))
        skerry_stop("skerry: no memory for the stack of main");
    if (skerry_job.cores > CORES) prepare_server();
    __atomic_store_n(&is_set_up, 1, __ATOMIC_RELEASE);
    skerry_pe_meet();
    skerry_worker_run(core);
    skerry_worker_loop(core);
}

static SKERRY_NORETURN void begin_server(void) {
    while (!__atomic_load_n(&is_set_up, __ATOMIC_ACQUIRE)) {
    }
    skerry_server_run();
}

SKERRY_NORETURN void skerry_begin(void);
SKERRY_NORETURN void skerry_begin(void) {
    const uint32_t own = *(const volatile uint32_t *)SKERRY_PLACE_REGISTER >> SKERRY_CORE_SHIFT;
    if (skerry_job.cores == 0 || skerry_job.cores % CORES != 0) stop_wrong_job();
    uint32_t place = 0;
    while (skerry_core_number(place) != own) place++;
    const uint32_t core = place % CORES;
    if (core == 0) begin_pe(place);
    if (core == SERVER && skerry_job.cores > CORES) begin_server();
    skerry_worker_loop(&skerry_cores[core]);
}

// A program that fails ends the whole job: the simulator names the PE. After a program without an error the server still
// answers jobs.
SKERRY_NORETURN void _exit(int status);
SKERRY_NORETURN void _exit(int status) {
    if (status == 0) skerry_pe_end();
    for (;;) skerry_host_request(SKERRY_HOST_EXIT, status, 0, 0);
}
