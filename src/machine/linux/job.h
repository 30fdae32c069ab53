// SPDX-License-Identifier: BSD-3-Clause
// What the launcher and a PE agree on: the environment variable that makes a process a PE, the layout of the job's
// memory file, and the control block at a fixed place of every partition through which a PE tells how it is doing.
// Plain C and C++; no function lives here.
#ifndef SKERRY_MACHINE_LINUX_JOB_H
#define SKERRY_MACHINE_LINUX_JOB_H

#include <stdint.h>

#include "layout.h"

// SKERRY_JOB="fd=F,pe=P,pes=N,heap=BYTES,cpus=C,bound=0|1,job=ID[,huge=1][,programs=M,parent=PID][,tuning=VALUES]"
//   fd    descriptor of the job's memory file, inherited by every PE and closed by it once mapped
//   pe    rank of this process, 0 <= pe < pes
//   heap  bytes of symmetric heap of every PE, a multiple of the page size
//   cpus  processors that the whole job may use; pes > cpus makes waiting hand the processor over at once
//   bound 1 when this process is pinned to a processor of its own
//   job   number that differs between jobs (the launcher's process id); used in messages only
//   huge  1 asks for transparent huge pages behind the symmetric heap
//   programs, parent  in a job of several programs (programs.c) only: how many of its PEs run at once at most, and the
//                     process that started this one
//   tuning  what was measured on this processor, in the form of tuning.h; goes to the end of the text
// A PE removes the variable from its environment, so that programs it starts are not taken for PEs.
#define SKERRY_JOB_VARIABLE "SKERRY_JOB"

// The memory file holds PE p's partition at file offset p << SKERRY_PARTITION_SHIFT; offsets inside a partition are
// those of layout.h. It is sparse: only touched pages exist. Sealed against growing, shrinking and further seals. That of a
// job of one PE has room for SKERRY_PROGRAMS_MAX more, which that PE may start.

enum skerry_pe_state {
    SKERRY_PE_ABSENT = 0,  // no process has attached to this partition yet
    SKERRY_PE_ATTACHED,    // the library is loaded, shmem_init was not called
    SKERRY_PE_RUNNING,     // between shmem_init and the last shmem_finalize, or likewise in another model
    SKERRY_PE_FINALIZED,   // after the last shmem_finalize
    SKERRY_PE_GLOBAL_EXIT, // called shmem_global_exit; exit_code holds its status
    SKERRY_PE_ABORTED,     // stopped by the library after printing its own line on stderr: print no second one
    SKERRY_PE_EXITING,     // RUNNING, but the program has ended with 0: the library finalizes in its place
};

// How a PE that computes is made to look for requests: not at all, by a signal, by a helper thread that it has for this.
enum skerry_attention { SKERRY_ATTENTION_NONE = 0, SKERRY_ATTENTION_SIGNAL, SKERRY_ATTENTION_THREAD };

#define SKERRY_CRASH_FRAMES 48
#define SKERRY_CRASH_NO_MODULE UINT32_MAX // a frame's module: no code lies there

// Written by a PE's handler of a fatal signal, read by the launcher after the process has ended.
struct skerry_crash {
    uint32_t signal;  // 0: none recorded
    int32_t code;     // si_code
    uint64_t address; // si_addr of SIGSEGV, SIGBUS, SIGFPE, SIGILL
    uint32_t frame_count;
    uint32_t reserved;
    // Frame 0 is the faulting instruction. Each frame: the module's path index and the address inside the module as
    // the file numbers it (run-time address minus load bias), ready for a debug-information look-up.
    struct skerry_crash_frame {
        uint64_t address;
        uint32_t module; // index into modules
        uint32_t reserved;
    } frames[SKERRY_CRASH_FRAMES];
    uint32_t module_count;
    char modules[6][256]; // paths, nul-terminated, truncated when longer
};

// At SKERRY_CONTROL_OFFSET of every partition. The line of `sleeping` belongs to the waiting protocol (src/machine/linux/wait.c).
struct skerry_control {
    uint8_t before_sleeping[SKERRY_SLEEPING_PLACE];

    // Line 0: a thread that goes to sleep until a word of this partition changes sets a bit of `sleeping` (sleep_flag.h); whoever
    // changes a word and sees it set clears it, rings the bell and wakes.
    uint32_t sleeping;
    uint32_t eventcount;
    uint8_t line0[56];

    // Line 1: written by this PE, read by the launcher.
    uint32_t state; // enum skerry_pe_state
    int32_t exit_code;
    int32_t process_id;
    uint32_t line1_reserved;
    uint64_t data_offset; // where the executable's static data lies in this partition
    uint64_t data_bytes;
    uint64_t program;   // identifies the executable (device and inode, mixed); all PEs of a job must agree
    uint64_t heap_peak; // most bytes of the heap ever in use at once, for --stats
    uint64_t line1_end;

    // Line 2: what this PE, if it ended now, would have left out, as "without shmem_finalize"; empty for nothing. Stays
    // where the library finalized in the program's place.
    char unfinished[64];

    // Attention for what others ask of this PE (src/machine/linux/progress.c). Away from the lines above: others read those often,
    // and a processor that reads two lines in order fetches the next ones too, out of the hands of who writes them.
    uint8_t before_attention[SKERRY_FALSE_SHARING_RANGE - 192];
    uint32_t polling;   // it looks for requests before it goes on with anything else
    uint32_t raised;      // bit n: interrupt n waits for its handler
    uint32_t wait_target; // PE at whose bell it has last gone to sleep, and 1
    uint32_t attention;   // enum skerry_attention: how it is interrupted
    uint32_t doorbell;    // of the helper thread
    uint8_t after_attention[SKERRY_FALSE_SHARING_RANGE - 20];

    struct skerry_crash crash;

    // In PE 0's block only: one number for program and place of its data, set by the first PE to attach, and whether any
    // PE found another number than its own there. Where none did, no PE has to look at every other's block.
    uint64_t common_layout;
    uint32_t layouts_differ;
    uint32_t failure_told; // a PE has written its line; those that fail after it for the same reason write none
    uint32_t warning_told; // the same for the line about a missing shmem_finalize
};

#endif
