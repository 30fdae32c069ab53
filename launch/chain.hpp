// SPDX-License-Identifier: BSD-3-Clause
// Declares the functions that the three processes of oshrun share. The processes are a chain, each the parent of the
// next:
// * front: the process that the user started;
// * keeper: ends the job if front and supervisor are killed;
// * supervisor: starts the PEs.
//
// Why the job ends even if somebody kills two of the three (launch/README.md has the whole argument):
// * Each of the three becomes the parent of orphans below it (PR_SET_CHILD_SUBREAPER).
// * Each notices the end of its neighbours in the chain, and ends only when it has no descendant left.
// * None of the three kills a neighbour that still works.
#pragma once

#include <atomic>
#include <csignal>
#include <sys/types.h>

namespace skerry {

// Memory that all three processes (front, keeper and supervisor) share.
struct SharedPlace {
    std::atomic<pid_t> supervisor{0};      // process id; the supervisor writes it, then checks that the keeper lives
    std::atomic<bool> keeper_apart{false}; // true: the keeper has its own session
};

// Data that keeper and supervisor inherit by fork.
struct Inheritance {
    pid_t front = 0;
    pid_t keeper = 0;
    SharedPlace *shared = nullptr;
    sigset_t signal_mask{};     // mask that the front was started with; the PEs get it back
    sigset_t watched_signals{}; // signals that front, keeper and supervisor block and read
    double timeout_seconds = 0; // operand of --timeout; 0: not given
    double deadline = 0;        // time (clock.hpp) at which it is over; 0: never
};

// Returns the number of the signal that tells keeper and supervisor that an ancestor in the chain (front, keeper,
// supervisor) has died. The kernel sends the signal to a process whose parent dies. The keeper passes the signal on to
// the supervisor when the front dies. A real-time signal is used, because the user can have made oshrun ignore an
// ordinary signal (nohup ignores SIGHUP).
inline int launcher_died() {
    return SIGRTMIN;
}

// Asks the kernel to send the signal launcher_died() to this process when its parent dies. Ends this process if
// `parent` has already died.
void ask_for_death_of(pid_t parent);

struct Awaited {
    bool ended = false;  // true: the process has ended; false: it is no child of this process
    int status = 0;      // status from waitpid
    int interrupt = 0;   // signal that arrived during the wait and ends the job; 0 for none
    bool killed = false; // true: await() has sent SIGKILL to the process, because the limit was over
    bool late = false;   // true: the process had not ended at the deadline
};

// Waits for the end of `process`, the next process of the chain. Meanwhile passes the signals that arrive at this
// process on to `process`. After a signal that ends the job (all but SIGUSR1 and SIGUSR2), `process` has `limit`
// seconds to end. Then this function kills `process`. With `at_once`, the `limit` seconds begin with this call. If `deadline`
// is not 0, they begin at this time at the latest. `process` gets SIGCONT then, because it is possibly stopped.
Awaited await(pid_t process, const sigset_t &signals, double limit, bool at_once = false, double deadline = 0);

} // namespace skerry
