// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions by which the first code of a core (begin.c, compiled as part of the workers) sets up its PE and
// runs the server. It includes nothing of the machine, because the two parts have different headers.
#ifndef SKERRY_MACHINE_MPPA_START_H
#define SKERRY_MACHINE_MPPA_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Sets up this PE: its rank, DMA unit and mailboxes. The first core of each cluster calls it before any other function of
// the machine, then starts its server, and then calls skerry_pe_meet. `io_nodes` is the number of PEs that are I/O nodes: 0,
// 1 (PE 0) or 2 (PE 0 and the last one). `server` is the number of the core that runs the server among the node's cores.
void skerry_pe_begin(int pe, int pes, uint32_t io_nodes, uint32_t server);

// What ../riscv/worker_memory.c asks for.
char *skerry_more_memory(size_t *bytes);

// Not 0: the job has several programs. skerry-sim sets it. SKERRY_MPPA_SERVES: this PE does not run `main`.
extern uint32_t skerry_is_of_programs;
#define SKERRY_MPPA_SERVES 2u

// Opens the DDR of this PE for all programs of the job, if it is the last PE (common_memory.c). Called on a worker's stack.
void skerry_open_ddr(void);

// Ends this PE's program in a job of several programs. The exit code is kept for PE 0. The end of PE 0 ends the job, also
// if other programs still run.
__attribute__((noreturn)) void skerry_program_end(int status);

// Ends the job with an error message, because a signal kills this PE's program. The exit code is 128 + signal.
__attribute__((noreturn)) void skerry_end_by_signal(int signal, int thread);

// Waits until the programs of all other PEs have ended, but not for long. Only PE 0 calls it, and only its programs that start
// others have it.
void skerry_await_programs(void) __attribute__((weak));

// Waits until all PEs of the job have been set up, so that each may send packets to each.
void skerry_pe_meet(void);

// Tells all servers that this PE's program has ended without an error. Does not return if this PE is the only one.
void skerry_pe_end(void);

// Returns true if no worker but main runs a function.
bool skerry_only_main_works(void);

// Ends the server's sleep. Called by another core of its cluster.
void skerry_wake_server(void);

// Runs the server on the calling core. Its stack must be large enough for functions of programming models and of the program.
__attribute__((noreturn)) void skerry_server_run(void);

// Returns true if this is PE 0 and all PEs have ended.
bool skerry_all_have_ended(void);
__attribute__((noreturn)) void skerry_end_all(void);

// Return the route of packets from one PE to another, and from one node of the networks to another (pe.c). The first nodes
// are the clusters.
uint32_t skerry_route(uint32_t from, uint32_t to);
uint32_t skerry_route_of_nodes(uint32_t from, uint32_t to);
uint32_t skerry_own_node(void); // of this PE

#endif
