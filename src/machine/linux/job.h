// SPDX-License-Identifier: BSD-3-Clause
// Defines the interface between the launcher and a PE. It consists of the environment variable SKERRY_JOB, which makes
// a process a PE, and the control block, in which a PE reports its state. The control block is at a fixed place of
// every partition (the part of the job's memory file that belongs to one PE). The header is valid C and C++ and has no
// functions.
#ifndef SKERRY_MACHINE_LINUX_JOB_H
#define SKERRY_MACHINE_LINUX_JOB_H

#include <stdint.h>

#include "layout.h"

// SKERRY_JOB="fd=F,pe=P,pes=N,heap=BYTES,cpus=C,bound=0|1,job=ID[,first=R,near=M,nodes=F,here=M]
//     [,huge=1][,kill_at=T][,programs=M,parent=PID][,tuning=VALUES]"
//   fd    descriptor of the job's memory file, inherited by every PE. A PE closes it when the file is mapped.
//   pe    rank of this process, 0 <= pe < pes
//   heap  bytes of symmetric heap of every PE, a multiple of the page size
//   cpus  number of processors that the whole job is allowed to use. If pes > cpus, waits yield the processor at once.
//   bound 1 if this process is pinned to a processor of its own
//   job   number that differs between jobs (the launcher's process id). Used in messages only.
//   huge  1 asks for transparent huge pages for the symmetric heap
//   kill_at  time at which the kernel kills the PE, in nanoseconds of CLOCK_MONOTONIC (pe/time_limit.c); 0: never
// Only in a job of several nodes:
//   first   rank of the node's first PE
//   near    number of the node's PEs
//   nodes   descriptor of the file with the nodes (network.h)
//   here    number of the job's PEs that use the same processors as this node: its own PEs, and those of other nodes that
//           are on the same machine
// Only in a job of several programs (pe/programs.c):
//   programs  the largest number of PEs that run at once
//   parent    the process that started this one
// Last, up to the end of the text:
//   tuning    tuning values measured on this processor, in the form of tuning.h
// A PE removes the variable from its environment, so that programs that it starts do not become PEs.
#define SKERRY_JOB_VARIABLE "SKERRY_JOB"

// The variable by which a host program (launch/pcie) tells PE 0's program, or skerry-sim, the descriptor of their link
// (../contract/host_program.h) and its own process: two numbers with a comma between them.
#define SKERRY_HOST_LINK_VARIABLE "SKERRY_HOST_LINK"

// The memory file holds PE p's partition at file offset p << SKERRY_PARTITION_SHIFT. layout.h defines the offsets
// inside a partition.
// * The file is sparse: only touched pages exist.
// * The file is sealed against growing, shrinking and further seals.
// * The file of a job of one PE is large enough for SKERRY_PROGRAMS_MAX more partitions. They are for programs that
//   this PE can start.

enum skerry_pe_state {
    SKERRY_PE_ABSENT = 0,  // no process has attached to this partition yet
    SKERRY_PE_ATTACHED,    // the library is loaded, but shmem_init has not been called
    SKERRY_PE_RUNNING,     // between shmem_init and the last shmem_finalize, or between begin and end of another model
    SKERRY_PE_FINALIZED,   // after the last shmem_finalize
    SKERRY_PE_GLOBAL_EXIT, // called shmem_global_exit; exit_code holds the status that the program passed to it
    SKERRY_PE_ABORTED,     // stopped by the library, which has printed the reason; the launcher prints no line
    SKERRY_PE_EXITING,     // like RUNNING, but the program has ended with code 0: the library finalizes in its place
};

// How other PEs interrupt a PE while it computes. NONE: not at all. SIGNAL: by a signal. THREAD: they wake a helper
// thread of that PE, which then runs the handlers.
enum skerry_attention { SKERRY_ATTENTION_NONE = 0, SKERRY_ATTENTION_SIGNAL, SKERRY_ATTENTION_THREAD };

#define SKERRY_CRASH_FRAMES 48
#define SKERRY_CRASH_NO_MODULE UINT32_MAX // value of a frame's `module`: no code is at the frame's address

// Record of a fatal signal. The PE's signal handler writes the record. The launcher reads it after the process has
// ended.
struct skerry_crash {
    uint32_t signal;  // 0: none recorded
    int32_t code;     // si_code
    uint64_t address; // si_addr of SIGSEGV, SIGBUS, SIGFPE, SIGILL
    uint32_t frame_count;
    uint32_t reserved;
    // Frame 0 is the faulting instruction. A frame's `module` names the executable or shared library that has the code.
    // Its `address` is the run-time address minus the module's load bias. The debug information of that file uses the
    // same address.
    struct skerry_crash_frame {
        uint64_t address;
        uint32_t module; // index into modules
        uint32_t reserved;
    } frames[SKERRY_CRASH_FRAMES];
    uint32_t module_count;
    char modules[6][256]; // paths, nul-terminated, truncated if longer
};

// The control block, in which a PE reports its state to the launcher and to other PEs. It is at SKERRY_CONTROL_OFFSET
// of every partition (a PE's part of the memory file). Waits (pe/wait.c) use the cache line that has `sleeping`.
struct skerry_control {
    uint8_t before_sleeping[SKERRY_SLEEPING_PLACE];

    // Line 0: a thread that will sleep until a word of this PE's partition changes sets a bit of `sleeping`
    // (sleep_flag.h). A thread that changes a word and sees that bit clears it, adds 1 to `eventcount` and wakes the
    // sleepers.
    uint32_t sleeping;
    uint32_t eventcount;
    uint8_t line0[56];

    // Line 1: written by this PE, read by the launcher.
    uint32_t state; // enum skerry_pe_state
    int32_t exit_code;
    int32_t process_id;
    uint32_t leaving; // 1: has called its last finalize, and serves the network until all other PEs have called theirs
    uint64_t data_offset; // offset of the executable's static data in this partition
    uint64_t data_bytes;
    uint64_t program;   // identifies the executable (device, inode and size, mixed); the same in all PEs of a job
    uint64_t heap_peak; // largest number of bytes of the heap in use at once, for --stats
    uint64_t line1_end;

    // Line 2: the calls that the program must still make before it ends, in words such as "without shmem_finalize". The
    // text is empty if there is no such call. It does not change while the library finalizes in the program's place.
    char unfinished[64];

    // The version of the library that this process uses, as text (skerry_build). It is constant after common_build has
    // named this PE.
    char build[32];

    // Words for requests of other PEs (pe/progress.c). They are SKERRY_FALSE_SHARING_RANGE bytes away from the lines
    // above, which other PEs often read. Reason: a processor that reads two adjacent lines prefetches the following
    // lines too. This prefetch would take the words below out of their writers' caches.
    uint8_t before_attention[SKERRY_FALSE_SHARING_RANGE - 224];
    uint32_t polling;      // not 0: this PE polls for requests before it goes on, so no PE interrupts it
    uint32_t raised;       // bit n: interrupt n is raised and its handler has not run yet
    uint32_t wait_target;  // 1 plus the rank of the PE at whose eventcount this PE last slept; 0: none
    uint32_t attention;    // enum skerry_attention: how this PE is interrupted
    uint32_t helper_count; // number of notifications of the helper thread, which sleeps at this word
    uint8_t after_attention[SKERRY_FALSE_SHARING_RANGE - 20];

    // Words of this cache line are written by this process's network module (src/machine/ucx/internal.h). far_sent is
    // the number of records (operations in messages) that the module has begun to send. far_landed is the number of
    // received records that the module has executed. A record counts as executed only after the records that its
    // handler sends are counted in far_sent.
    uint64_t far_sent, far_landed;
    // In the control block of PE 0 of a job of several programs (pe/programs.c). Bit p: the program of PE p runs.
    uint32_t programs_running;
    uint8_t after_far[44];

    struct skerry_crash crash;

    // Words of the control block of the node's first PE only. Each process computes a number from its program and the
    // place of its static data. The first process that attaches stores its number in common_layout. A process with
    // another number sets layouts_differ to 1. While layouts_differ is 0, the static data of all PEs of the node is at
    // the same place. So no PE must search it in the control blocks of other PEs.
    uint64_t common_layout;
    // Hash of the version of the library in the upper 48 bits, and 1 + the index of the PE that has stored it in the lower
    // 16. The first process that attaches stores it. A process with another hash ends the job (pe/identity.c).
    uint64_t common_build;
    uint32_t layouts_differ;
    uint32_t failure_told; // 1: a PE has written its error line, so PEs that fail later write no line
    uint32_t warning_told; // 1: a PE has written the line about a missing shmem_finalize
    uint32_t waiting_pe;   // 1 + the number of a PE of another node that has called shmem_init; 0: none is known

    // In the control block of the node's first PE only: element i is 1 if the PE number i of the node has a process, is
    // attached or running, and does not sleep in a wait. Each PE writes its own element, with relaxed order, because the
    // sum is only a guess of the load (others_compute in pe/wait.c). The elements are together, so that the PE that adds them up
    // reads one page and not a page of each PE. PEs that share a cache line here write it only when they sleep or wake.
    uint8_t can_run[SKERRY_PES_MAX];
};

#endif
