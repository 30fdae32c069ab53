// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends the program of a PE. Each core finds out its PE, which is its cluster, and its number in the cluster. The
// first core sets up the PE and runs main as worker 0 (../cluster). The last core, the resource manager, runs the server.
// The others are workers, which sleep until OpenMP gives them a function to run.
//
// This file is compiled as a part of the workers, like those of ../cluster. start.h is the border to the PE's part.
#include "../cluster/internal.h"
#include "start.h"

#include "host.h" // ../riscv
#include "registers.h"

int skerry_cores_of_job = 1;
uint32_t skerry_is_of_programs;

#define CORES 17u // of a cluster
#define SERVER (CORES - 1)
#define CORES_OF_IO_NODE 8u
#define CLUSTERS 16u
#define COLUMN_MASK 63u // of a core's number, row << 6 | column

extern const char skerry_main_stack_bytes[], skerry_server_stack_bytes[]; // mppa.ld; their addresses are the sizes

static volatile uint32_t is_set_up; // the first core has set up the PE

static SKERRY_NORETURN void stop_wrong_job(void) {
    skerry_stop("skerry: this program runs on whole clusters of an MPPA, and needs the job's description that oshrun "
                "writes: start it with oshrun --machine mppa");
}

static void run_program(void *unused) {
    (void)unused;
    skerry_open_ddr();
    if (skerry_is_of_programs != SKERRY_MPPA_SERVES) skerry_run_main();
}

// What a core finds out about the job, and about its place in the job.
struct place {
    uint32_t io_nodes; // that are PEs
    uint32_t pes;
    uint32_t pe;
    uint32_t first;  // number of the first core of the PE
    uint32_t core;   // number of this core in its PE
    uint32_t server; // and of the last one
};

// PEs are clusters 0, 1, 2 and so on, with all their cores. In a job with I/O nodes, whose cores are fewer, the first one is
// in front of the clusters, and the second one behind them. A row of the chip has whole clusters, and the first core of a job
// is in the first column.
static struct place find_place(void) {
    struct place place;
    const uint32_t cores = skerry_job.cores;
    const uint32_t own = *(const volatile uint32_t *)SKERRY_PLACE_REGISTER >> SKERRY_CORE_SHIFT;
    const uint32_t cluster = *(const volatile uint32_t *)(SKERRY_MPPA_REGISTERS + SKERRY_MPPA_NODE_NUMBER);
    place.io_nodes = cores % CORES / CORES_OF_IO_NODE;
    if (cores == 0 || place.io_nodes * CORES_OF_IO_NODE != cores % CORES) stop_wrong_job();
    place.pes = cores / CORES + place.io_nodes;
    place.core = ((own & COLUMN_MASK) - (skerry_job.first_core & COLUMN_MASK)) % CORES;
    place.first = own - place.core;
    place.server = cluster < CLUSTERS ? SERVER : CORES_OF_IO_NODE - 1;
    place.pe = place.io_nodes == 0   ? cluster
               : cluster < CLUSTERS  ? cluster + 1
               : cluster == CLUSTERS ? 0
                                     : place.pes - 1;
    return place;
}

// Sets the addresses by which the workers of this cluster wake each other.
static void find_workers(const struct place *place) {
    skerry_cores_of_job = (int)place->server;
    for (uint32_t i = 0; i <= place->server; i++) {
        const uintptr_t core = (uintptr_t)(place->first + i) << SKERRY_CORE_SHIFT;
        const uint32_t worker = i == place->server ? SERVER : i;
        skerry_cores[worker].interrupt = (volatile uint32_t *)(core + SKERRY_INTERRUPT_REGISTER);
    }
}

bool skerry_only_main_works(void) {
    for (int i = 1; i < skerry_cores_of_job; i++)
        if (__atomic_load_n(&skerry_cores[i].busy, __ATOMIC_ACQUIRE)) return false;
    return true;
}

void skerry_wake_server(void) {
    *skerry_cores[SERVER].interrupt = 1;
}

// The server runs functions of the programming models and of the program, so it has a stack and thread-local variables as a
// worker has. The stack in its core's own memory is faster, but too small, and the change from one stack to the other took a
// message 70 cycles.
static void *server_stack;

static void prepare_server(void) {
    struct skerry_core *server = &skerry_cores[SERVER];
    if (!skerry_worker_take_stack(server, (size_t)skerry_server_stack_bytes))
        skerry_stop("skerry: no memory for the stack of the server");
    server_stack = skerry_worker_set_variables(server);
}

// skerry-sim stops a core whose stack pointer is below the limit.
static void run_server(void *unused) {
    (void)unused;
    skerry_worker_number = SERVER;
    *(const char *volatile *)SKERRY_STACK_LIMIT_REGISTER = skerry_cores[SERVER].stack;
    skerry_server_run();
}

static SKERRY_NORETURN void begin_pe(const struct place *place) {
    struct skerry_core *core = &skerry_cores[0];
    skerry_pe_begin((int)place->pe, (int)place->pes, place->io_nodes, place->server);
    find_workers(place);
    if (&skerry_entropy_place) skerry_entropy_place = place->pe;
    core->busy = 1;
    core->main = run_program;
    if (!skerry_worker_take_stack(core, (size_t)skerry_main_stack_bytes))
        skerry_stop("skerry: no memory for the stack of main");
    if (place->pes > 1) prepare_server();
    __atomic_store_n(&is_set_up, 1, __ATOMIC_RELEASE);
    if (!skerry_is_of_programs) skerry_pe_meet();
    skerry_worker_run(core);
    skerry_worker_loop(core);
}

static SKERRY_NORETURN void begin_server(void) {
    while (!__atomic_load_n(&is_set_up, __ATOMIC_ACQUIRE)) {
    }
    skerry_call_on_stack(server_stack, skerry_cores[SERVER].variables, run_server, NULL);
    for (;;) {
    }
}

SKERRY_NORETURN void skerry_begin(void);
SKERRY_NORETURN void skerry_begin(void) {
    const struct place place = find_place();
    if (place.core == 0) begin_pe(&place);
    if (place.core == place.server && place.pes > 1) begin_server();
    skerry_worker_loop(&skerry_cores[place.core]);
}

// A program that fails ends the whole job: the simulator names the PE. After a program without an error the server still
// answers jobs.
SKERRY_NORETURN void _exit(int status);
SKERRY_NORETURN void _exit(int status) {
    if (skerry_is_of_programs) skerry_program_end(status);
    if (status == 0) skerry_pe_end();
    for (;;) skerry_host_request(SKERRY_HOST_EXIT, status, 0, 0);
}
