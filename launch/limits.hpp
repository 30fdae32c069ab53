// SPDX-License-Identifier: BSD-3-Clause
// Defines how long the launcher waits for other processes, in seconds. As long as nothing has failed, the launcher
// waits without limit for the PEs and for the reader of their output. Only --timeout limits these waits.
#pragma once

namespace skerry {

constexpr double interrupt_limit = 2;   // for PEs that handle the signal and clean up
constexpr double kill_limit = 10;       // for PEs after SIGKILL: the kernel possibly has much memory to free
constexpr double refused_limit = 1;     // for PEs after SIGKILL if the kernel refuses to send that signal
constexpr double reader_limit = 10;     // after a failure: for a reader of the output that reads nothing
constexpr double last_words_limit = 1;  // for a reader that reads nothing, if the user wants the job to end
constexpr double descendants_limit = 5; // for processes that PEs have started
constexpr double message_limit = 2;     // until standard error accepts a line that oshrun itself writes

constexpr double repeat_interval = 0.3; // a signal that arrives sooner is possibly a second copy of the first
constexpr double partial_time = 0.05;   // until an incomplete line, such as a prompt, is shown on a terminal

// What happens after the time of --timeout is over, in seconds from then on. Each step is for the case that an earlier one fails,
// because a process is stopped or gets no processor time (launch/README.md).
constexpr double timeout_kill_limit = 1;     // the supervisor kills the PEs; it has sent SIGTERM to them
constexpr double timeout_node_limit = 2;     // the supervisor of a node kills its PEs without a command of oshrun
constexpr double timeout_kernel_limit = 3;   // the kernel kills PEs (src/machine/linux/pe/time_limit.c)
constexpr double timeout_continue_limit = 5; // the keeper continues a supervisor; it kills it supervisor_limit later
constexpr double timeout_lost_limit = 8;     // oshrun does not wait for its nodes any more

// Limits for jobs of several nodes.
constexpr double start_limit = 60; // until a node has answered; for the node: until it knows which PEs to run
constexpr double initialization_limit =
    60;                                 // for the PEs of all nodes to call shmem_init, after those of the first node
constexpr double alive_interval = 1;    // between two signs of life (frames `alive`)
constexpr double silence_limit = 7;     // silence after which a side counts as dead if its kernel is silent too
constexpr double doubt_limit = 3;       // silence after which the kernel of the other side's machine is asked
constexpr double question_interval = 1; // between two questions to that kernel
constexpr double cancel_limit = 5;      // for scancel, which asks the controller of Slurm
constexpr double starved_limit = 60;    // silence after which a side counts as dead although its kernel answers

// Seconds that the keeper waits for the supervisor (the parent of the PEs) to end the job after a signal. If the keeper
// is dead, the front (chain.hpp) waits instead, for the same time. The supervisor's own waits take at most this time in
// total.
constexpr double supervisor_limit = interrupt_limit + kill_limit + descendants_limit + last_words_limit + message_limit;

// Seconds that the front (the process that the user started) waits for the keeper after a signal. The keeper waits up
// to supervisor_limit for the supervisor, then kills the processes that are left and prints a line.
constexpr double keeper_limit = supervisor_limit + descendants_limit + message_limit;

} // namespace skerry
