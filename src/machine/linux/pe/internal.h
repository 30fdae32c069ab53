// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share. The copy loops in ../arch and skerry-tune (launch/tune) include this
// file too.
#ifndef SKERRY_MACHINE_LINUX_INTERNAL_H
#define SKERRY_MACHINE_LINUX_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "../../machine.h"
#include "../job.h"
#include "../network.h"
#include "../tuning.h"

#define SKERRY_PRIVATE_DATA extern __attribute__((visibility("hidden")))

// The properties of the job that the launcher has passed to this PE.
struct skerry_job {
    int fd;
    bool bound;    // the launcher has bound this process to a processor of its own
    bool launched; // this PE was started by oshrun, which reads its control block
    bool managed;  // a process manager has started this PE and others (managed.c)
    bool is_task;  // a process manager has started this process and others; it possibly is no PE yet
    bool attached; // this PE's control block is mapped
    bool huge;
    bool membarrier;
    uint32_t sharers; // number of other PEs that share this PE's processor, if PEs are spread evenly
    bool programs;    // PEs of the job run different programs, which PE 0 starts (programs.c)
    long id;
    uint64_t inode;   // inode of the memory file
    uint64_t kill_at; // time at which the kernel kills this PE, in nanoseconds (time_limit.c); 0: never
    int nodes_fd;     // descriptor of the file with the nodes (../network.h); -1 if the job has one node
};
SKERRY_PRIVATE_DATA struct skerry_job skerry_job;

SKERRY_ALWAYS_INLINE struct skerry_control *skerry_control_of(int pe) {
    return (struct skerry_control *)(skerry_partition(pe) | SKERRY_CONTROL_OFFSET);
}

// Returns the control block (../job.h) of the node's first PE. It also has the words that all PEs of a node share.
SKERRY_ALWAYS_INLINE struct skerry_control *skerry_first_control(void) {
    return skerry_control_of(skerry_facts.near_first);
}

// Records if this PE can run: it has a process, has not ended its part of the job, and does not sleep (../job.h).
SKERRY_ALWAYS_INLINE void skerry_note_can_run(bool can_run) {
    const int own = skerry_facts.my_pe - skerry_facts.near_first;
    __atomic_store_n(&skerry_first_control()->can_run[own], (uint8_t)can_run, __ATOMIC_RELAXED);
}

// Lets the kernel kill this process at a time of CLOCK_MONOTONIC, in nanoseconds. The timer ends with the program: a program
// that this process executes in its place (exec) is not killed.
SKERRY_PRIVATE void skerry_let_kernel_kill_at(uint64_t nanoseconds);

// -- Network -----------------------------------------------------------------------------------------------------------

// Loads the network module and connects to the other nodes. Does nothing if an earlier call has done this, or if the
// job has one node.
SKERRY_PRIVATE void skerry_far_begin(void);
// Ends the use of the network, until the next call of skerry_far_begin. Returns when no PE of the job still needs
// messages from this PE or through this PE.
SKERRY_PRIVATE void skerry_far_end(void);
// Sends the data of puts that are not sent yet, and executes messages that have arrived at this PE. Returns true if it
// sent or executed anything.
SKERRY_PRIVATE bool skerry_far_progress(void);
// A thread of this PE calls this function before (`begins` true) and after (`begins` false) it sleeps in a wait. The
// call before the sleep returns for how many nanoseconds the thread is allowed to sleep. Messages that arrive during
// the sleep are still executed.
SKERRY_PRIVATE uint64_t skerry_far_sleep(bool begins);

// -- Handlers of interrupts --------------------------------------------------------------------------------------------

// The type (a number) of the messages that raise an interrupt at a far PE. The programming models use smaller numbers
// for their own messages.
#define SKERRY_FAR_INTERRUPT (SKERRY_FAR_HANDLERS - 1)

// Between the calls of these two functions no handler of an interrupt runs in the calling thread, even if an interrupt
// arrives. Other threads of this PE still run handlers. skerry_run_deferred_handlers then runs the handlers that were
// deferred. A thread uses these functions while it holds a lock that handlers take too. Calls can be nested.
SKERRY_PRIVATE void skerry_defer_handlers(void);
SKERRY_PRIVATE void skerry_run_deferred_handlers(void);
// Ends a deferral as skerry_run_deferred_handlers does, but runs no handler. Instead it interrupts this PE again, so
// that the deferred handlers run later. A thread calls this function if it still holds a lock that handlers take.
SKERRY_PRIVATE void skerry_leave_deferred_handlers(void);

// -- What all PEs of a job must have in common (identity.c) ------------------------------------------------------------

// Returns the version and a hash of the library's sources, for example "0.3.0-1a2b3c4d".
SKERRY_PRIVATE const char *skerry_build(void);
// Ends the job if `description`, the value of the environment variable SKERRY_JOB, names another build of the library.
SKERRY_PRIVATE void skerry_check_build(const char *description);
// Ends the job if another PE of this node uses another build of the library. Called when the control blocks are mapped.
SKERRY_PRIVATE void skerry_compare_builds(void);
// Returns the hashes of this process's program, which are constant. Not to be called by two threads at the same time.
SKERRY_PRIVATE const struct skerry_program *skerry_program(void);
// Adds `bytes` bytes to a hash (identity.c).
SKERRY_PRIVATE uint64_t skerry_hash(uint64_t hash, const void *data, size_t bytes);

// -- PEs that a process manager, such as srun or mpirun, has started (managed.c) ---------------------------------------

// Returns true if a process manager has started this process as one of several. `description` is the value of the
// environment variable SKERRY_JOB, or NULL if the variable is not set. If the variable is set, oshrun has started the
// process, and the function returns false.
SKERRY_PRIVATE bool skerry_is_managed(const char *description);
// Makes this process a PE of the job of the process manager (such as srun). Returns false if the job has no other
// process.
SKERRY_PRIVATE bool skerry_join_managed_job(void);
// Returns a hash of this process's program. All PEs of the node have the same hash: the first one has checked this.
SKERRY_PRIVATE uint64_t skerry_managed_program(void);
// Returns the text of the measured tuning values that the first PE of this node has read. Returns NULL if that PE found
// no text.
SKERRY_PRIVATE const char *skerry_managed_tuning(void);
// Returns true if this process is to write why the start fails, before it is a PE: of the processes of a job of a process manager
// (such as srun) that fail at about the same time, one writes (managed_refusal.c).
SKERRY_PRIVATE bool skerry_may_tell_early(void);
// Ends the job if this process has written why the start fails. Called before this process ends.
SKERRY_PRIVATE void skerry_end_early(bool has_told);
// Connects to the process manager (such as srun) again if this PE had left all programming models. Called each time a
// PE enters a model.
SKERRY_PRIVATE void skerry_managed_enter(void);
// Tells the process manager (such as srun) that this PE ends without a failure. Called when the PE has left all
// programming models.
SKERRY_PRIVATE void skerry_managed_leave(void);
// Asks the process manager (such as srun) to end the job. Called by one thread at a time.
SKERRY_PRIVATE void skerry_managed_abort(int code);
// Adds the network addresses of all other nodes' ports to the table `wire_up` of this node. (A port is a PE that
// receives messages for its node.) Each PE calls this function once. Before the calls, the ports of this node have
// added their own addresses.
SKERRY_PRIVATE void skerry_managed_exchange(struct skerry_wire_up *wire_up, int node);

// -- The end of a process manager's job if a PE fails (neighbours.c) ---------------------------------------------------

// The functions of this section do nothing in a job that no process manager has started.

// Gives this PE its sockets to the previous and to the next PE of the node. The kernel closes a socket when the process
// at the other end ends. So by these sockets this PE notices that one of these two PEs has ended.
SKERRY_PRIVATE void skerry_set_neighbours(int previous, int next);
// Tells the nodes that are connected to this one whether the job still needs this process (node_ring.c). If `is_needed`
// is true, these nodes treat the end of this process as a failure, and end the job. If not, the process is allowed to end.
// Before the first call the end of this process is a failure for nodes that wait for it in shmem_init.
// Does nothing in a PE that is not the first of its node.
SKERRY_PRIVATE void skerry_tell_nodes(bool is_needed);
// Called if this PE ends without shmem_init: from now on it reports no neighbour that has ended so too (neighbours.c).
SKERRY_PRIVATE void skerry_leave_neighbours_early(void);
// Called if this PE ends without shmem_init: waits until the other nodes can notice that, at most some seconds. Does nothing
// in a PE that is not the first of its node.
SKERRY_PRIVATE void skerry_leave_ring_early(void);
// Starts the thread that watches the neighbours.
SKERRY_PRIVATE void skerry_watch_neighbours(void);
// Wakes this thread.
SKERRY_PRIVATE void skerry_wake_watcher(void);
// Asks the process manager (such as srun) to end the job with exit code `code`, because this PE fails. (oshrun needs no
// such request: it notices itself that a PE ends.) When the function returns, the caller ends this process.
SKERRY_PRIVATE void skerry_fail_managed_job(int code);
// Asks the process manager (such as srun) to end the job because a fatal signal ends this PE. Called by the handler of
// the signal. Does nothing if the node has other PEs. Those PEs notice that this PE ends, and one of them asks the
// process manager.
SKERRY_PRIVATE void skerry_fail_by_signal(int signal_number);
// Ends this process, because its process manager (such as srun) has ended.
SKERRY_PRIVATE void skerry_end_without_manager(void);
// Closes the connections to the neighbours and stops watching them. Called in a child process that a PE has forked.
SKERRY_PRIVATE void skerry_forget_neighbours(void);

// -- Set-up, messages and environment variables ------------------------------------------------------------------------

// Opens a module: a library in a folder beside this library, such as "skerry/network/ucx.so". Returns the address of
// its public symbol. `purpose` begins the error message if opening fails.
SKERRY_PRIVATE void *skerry_open_module(const char *name, const char *symbol, const char *purpose);
// Waits until it is the turn of this node, the number `node` of the job, to write why the job cannot start (turn.c). If
// `is_connected` is false, this process cannot ask the launcher to end the job.
SKERRY_PRIVATE void skerry_await_turn(int node, bool is_connected);
// If shmem_init has not connected this PE to other nodes yet: waits before this PE writes why it fails, so that the first
// node which fails writes the only line (far_network.c).
SKERRY_PRIVATE void skerry_let_first_nodes_report(void);
// Returns true if this process has loaded a shared library whose file name begins with this name.
SKERRY_PRIVATE bool skerry_is_loaded(const char *library);

// Creates a file of this size without a name, and returns its descriptor. The file is in memory if the kernel allows it.
// If not, it is in a folder with enough free space for `pes` PEs. Ends the job if neither is possible.
SKERRY_PRIVATE int skerry_create_file(uint64_t bytes, int pes);
// Creates the memory file of `pes` PEs. Returns its descriptor, or -1 with the reason in errno.
SKERRY_PRIVATE int skerry_create_memory_file(uint64_t partitions, int pes);
// Records whether more PEs are awake than this PE's node has processors for them. After a change of near_count, the
// caller calls it again.
SKERRY_PRIVATE void skerry_note_oversubscribed(bool oversubscribed);
// Records how many PEs of this node run at once, and how many processors they are allowed to use.
SKERRY_PRIVATE void skerry_note_processors(long long at_once, long processors);

// Registers the function of end.c that finalizes in the program's place, if the program ends with exit code 0 before it
// has finalized.
SKERRY_PRIVATE void skerry_watch_end(void);

// Writes "skerry: PE n: text". Takes arguments like printf.
SKERRY_PRIVATE void skerry_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Writes a line as skerry_say does and ends the process with exit code 1. Used for failures of set-up and mistakes of
// the program.
_Noreturn SKERRY_PRIVATE void skerry_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Returns the whole number, 0 or more, in an environment variable, or `otherwise` if the variable is not set or empty.
// Ends the process with a message (skerry_refuse) if the variable holds anything else.
SKERRY_PRIVATE long skerry_whole_number(const char *name, long otherwise);
// Returns the wanted size of the symmetric heap in bytes. It is the value of SHMEM_SYMMETRIC_SIZE or of the variable's
// older spelling, or the default if neither is set.
SKERRY_PRIVATE uint64_t skerry_heap_bytes_wanted(void);
// Returns true if the yes/no variable `name` is set and means yes. Ends the process with a message (skerry_refuse) if
// its value means neither yes nor no.
SKERRY_PRIVATE bool skerry_is_switched_on(const char *name);
// Prints what SHMEM_VERSION, SHMEM_INFO and SHMEM_DEBUG ask for. Called on PE 0.
SKERRY_PRIVATE void skerry_print_environment(void);

// Static data of the executable: the addresses from `begin` to below `end`, both at page boundaries. The data below
// `file_end` came from the executable's file.
struct skerry_data {
    uintptr_t begin;
    uintptr_t end;
    uintptr_t file_end;
};
SKERRY_PRIVATE struct skerry_data skerry_find_data(void);
SKERRY_PRIVATE void skerry_move_data(const struct skerry_data *data, int fd, uint64_t file_offset);

// -- Requests, memory and programs -------------------------------------------------------------------------------------

// If interrupts are not masked, runs the handlers whose requests have arrived. Returns true if a handler ran.
SKERRY_PRIVATE bool skerry_progress(void);
// Announces that the calling thread polls for requests of other PEs, until it calls skerry_stop_polling_requests.
SKERRY_PRIVATE void skerry_begin_polling_requests(void);
SKERRY_PRIVATE void skerry_stop_polling_requests(void);
// After this call the process runs no handlers. Called in a child process that a PE has forked.
SKERRY_PRIVATE void skerry_progress_no_more(void);
// Makes a child process that a PE has forked forget the copy thread, which the child does not have (copy_thread.c).
SKERRY_PRIVATE void skerry_forget_copy_thread(void);
// Maps the partition (the memory) of a PE that has not started yet, except its static data.
SKERRY_PRIVATE void skerry_map_partition(int pe);
// Maps the heaps of PE 0 and of the last PE a second time, at addresses that are the same in all programs of a job
// (skerry_common_memory).
SKERRY_PRIVATE void skerry_map_common(void);
// Makes this process, which the process `parent` has started, a program of the job. The kernel kills this process when
// `parent` ends.
SKERRY_PRIVATE void skerry_program_begin(int parent);
// The library has started (1) or ended (-1) a thread of its own in this PE (skerry_is_only_thread).
SKERRY_PRIVATE void skerry_note_own_threads(int change);
// Runs `function` in a new thread, in which all signals are blocked. `function` need not return, because the end of the
// program ends the thread.
SKERRY_PRIVATE void skerry_run_beside(void (*function)(void));

// Tells the host program, if one has started this job, that an error message has been written, and the job ends.
SKERRY_PRIVATE void skerry_tell_host(void);

// -- Tuning, crashes and forks -----------------------------------------------------------------------------------------

// Chooses the tuning values of this PE: how it copies memory, how it polls, and others (../tuning.h). `measured` is the
// text of the measured values that the launcher passed to this PE, or NULL if there are none.
SKERRY_PRIVATE void skerry_choose_tuning(const char *measured);
// Sets *tuning to the values that are most likely the best on this processor, without measuring.
SKERRY_PRIVATE void skerry_guess_tuning(struct skerry_tuning *tuning);
// Makes waits execute `pauses` pause instructions between two polls, at most 64.
SKERRY_PRIVATE void skerry_use_poll_pauses(uint32_t pauses);
SKERRY_PRIVATE_DATA struct skerry_tuning skerry_tuning; // constant when the program's code runs
SKERRY_PRIVATE void skerry_catch_crashes(void);
SKERRY_PRIVATE void skerry_prepare_forks(void);

#endif
