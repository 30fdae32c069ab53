// SPDX-License-Identifier: BSD-3-Clause
// The launcher's processes are a chain, front --- keeper --- supervisor --- PEs. Each adopts orphans, notices the end of
// its neighbours, and ends only when it has no descendant left. None of them kills another that still does its work. So
// one of the three that is left ends the job; README.md has the argument.
#pragma once

#include <atomic>
#include <csignal>
#include <sys/types.h>

namespace skerry {

// Memory that front, keeper and supervisor share.
struct SharedPlace {
    std::atomic<pid_t> supervisor{0};      // written by itself, before it looks whether the keeper lives
    std::atomic<bool> keeper_apart{false}; // the keeper has its own session
};

// What the supervisor has of the processes above it, and what its PEs shall get back.
struct Inheritance {
    pid_t front = 0;
    pid_t keeper = 0;
    SharedPlace *shared = nullptr;
    sigset_t signal_mask{};     // what the front was started with
    sigset_t watched_signals{}; // blocked by all three
};

// Tells keeper and supervisor that a process above has died: from the kernel when it is the parent, and from the keeper
// when it is the front. Nobody has set it to be ignored.
inline int launcher_died() {
    return SIGRTMIN;
}

// Asks the kernel for that signal. Ends this process if `parent` has died before.
void ask_for_death_of(pid_t parent);

struct Awaited {
    bool ended = false;  // false: it is no child of ours
    int status = 0;      // that of waitpid
    int interrupt = 0;   // the signal that ended the job meanwhile; 0 for none
    bool killed = false; // by us, after too long
};

// Waits for the end of `process`, the next of the chain, and passes on the signals that arrive here. After one that ends
// the job `process` has `patience` seconds until it is killed, with `at_once` from now on.
Awaited await(pid_t process, const sigset_t &signals, double limit, bool at_once = false);

} // namespace skerry
