// SPDX-License-Identifier: BSD-3-Clause
// How long the launcher waits for other processes, in seconds. It waits without limit only as long as nothing has
// failed: for the PEs, and for the reader of their output, as any program does. --timeout limits these waits too.
#pragma once

namespace skerry {

constexpr double interrupt_limit = 2;   // for PEs that handle the signal and clean up
constexpr double kill_limit = 10;       // for PEs after SIGKILL: the kernel may have much memory to free
constexpr double refused_limit = 1;     // for PEs after SIGKILL if the kernel refuses to send it to them
constexpr double reader_limit = 10;     // after a failure: for a reader of the output that reads nothing
constexpr double last_words_limit = 1;  // for such a reader if the user wants the job to end
constexpr double descendants_limit = 5; // for processes that PEs have started
constexpr double message_limit = 2;     // until standard error takes a line of oshrun's own

// For the supervisor to end the job after a signal. Its waits in that time do not add up to more than this.
constexpr double supervisor_limit = interrupt_limit + kill_limit + descendants_limit + last_words_limit + message_limit;

// For the keeper after a signal: it waits supervisor_limit for the supervisor, then kills the processes that are left
// and prints a line.
constexpr double keeper_limit = supervisor_limit + descendants_limit + message_limit;

} // namespace skerry
