// SPDX-License-Identifier: BSD-3-Clause
// Declares the part of a machine's contract for jobs of several programs, in which PE 0 starts other executables as
// further PEs. pe.h includes this file.
#ifndef SKERRY_MACHINE_CONTRACT_PROGRAMS_H
#define SKERRY_MACHINE_CONTRACT_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// SKERRY_PROGRAMS_MAX: largest number of programs that PE 0 can start; 0: the machine cannot start programs.
#ifndef SKERRY_PROGRAMS_MAX
#error "the machine does not define SKERRY_PROGRAMS_MAX"
#endif
#if SKERRY_PROGRAMS_MAX

// A job of one PE (PE 0) can change into a job of 1 + SKERRY_PROGRAMS_MAX PEs. Then PE 0 can start a program as each of
// the other PEs.
// * The programs are other executables, so static data is not symmetric.
// * The programs need not all run at the same time.
// * The end of PE 0 ends all programs. A program that is killed by a signal, or that stops after it has reported an
//   error, also ends all programs.

// Returns true if skerry_programs_admit has changed this job into a job of several programs.
bool skerry_has_programs(void);

// Changes this job into a job of 1 + SKERRY_PROGRAMS_MAX PEs. PE 0 calls this function before it starts programs.
// `at_once` is the largest number of PEs that run at the same time. Returns false in two cases: the job already has
// more than one PE, or the job began with too little memory for so many PEs.
bool skerry_programs_admit(int at_once);
// Starts a program as PE `pe`, if no other program runs as this PE. If the program cannot be started, writes a line
// that says why, and returns false.
//     title        the program's name in messages
//     name         a path, or a file name. A file name is searched for in the folder of PE 0's program, then in the
//                  working directory, then in the system's search path.
//     arguments    exactly the arguments of the program's main
//     environment  the program's environment. NULL: the environment of PE 0.
bool skerry_program_start(int pe, const char *title, const char *name, const char *const *arguments,
                          const char *const *environment);
// skerry_program_runs returns true if the program of PE `pe` runs. skerry_program_wait waits until this program has
// ended and returns its exit code, or -1 if no program was started as this PE.
bool skerry_program_runs(int pe);
int skerry_program_wait(int pe);
// Returns the PEs whose programs run: bit p for PE p, without PE 0. Any program may call it. A bit is set before its program
// begins. It is cleared, with a release, after the program's last store to another PE. The load is an acquire.
uint32_t skerry_programs_running(void);

// Returns true if no other thread of this program can run code of the program. Can return false although that is so, for example
// while threads of an earlier parallel region sleep.
bool skerry_is_only_thread(void);

#if SKERRY_PRIVATE_MEMORY
// Sets the function that is called on PE 0, by a thread of its own, when the program of PE `pe` has ended in any way. The call
// returns before skerry_programs_running and skerry_program_wait tell the end.
void skerry_on_program_end(void (*function)(int pe));
#endif

// SKERRY_COMMON_BASE: no common memory (skerry_common_memory) is below this address.
#ifndef SKERRY_COMMON_BASE
#error "the machine does not define SKERRY_COMMON_BASE"
#endif

// Returns a common memory: memory that has the same address in all programs of the job. This address needs fewer bits than a
// global address. Stores the size in *bytes, which is the same for all of these memories. Memory 0 belongs to PE 0, and
// memory 1 to the last PE of the job, which need not run a program.
#define SKERRY_COMMON_MEMORIES 2
void *skerry_common_memory(int number, size_t *bytes);

#if !SKERRY_PRIVATE_MEMORY
// Returns true if this PE may access common memory 1 by puts, gets and atomics for the last PE. It may from the moment when
// a PE has called this function after PE 0 has opened the memory.
bool skerry_second_memory_is_open(void);
// Opens common memory 1 for all PEs, and returns when it is open. Only PE 0 calls this function. If that is not possible,
// writes a line that says why, and returns false.
bool skerry_open_second_memory(void);
#endif

// Returns memory of PE 0, as an address by which all programs of the job use it (an argument of atomics for PE 0). Stores
// its size in *bytes. The memory is zero when the job begins.
void *skerry_programs_memory(size_t *bytes);

// SKERRY_PROGRAMS_HERTZ: frequency of the clock whose cycles skerry_ticks counts, on machines that simulate such a clock.
// 0: skerry_ticks counts other units.
#ifndef SKERRY_PROGRAMS_HERTZ
#error "the machine does not define SKERRY_PROGRAMS_HERTZ"
#endif

// Yields the processor to another thread or program that waits for it.
void skerry_yield(void);

#include "host_program.h"

#endif

#endif
