// SPDX-License-Identifier: BSD-3-Clause
// How long the launcher waits for others, in seconds. Only a job that goes well waits without limit: for its PEs, and for
// the reader of their output, as any program does; --timeout limits that, too.
#pragma once

namespace skerry {

constexpr double interrupt_limit = 2;   // for PEs that catch the signal and tidy up
constexpr double kill_limit = 10;       // for PEs after SIGKILL: the kernel may have much memory to give back
constexpr double refused_limit = 1;     // the same where the kernel refuses to kill them
constexpr double reader_limit = 10;     // for a reader of the output that takes nothing, after a failure
constexpr double last_words_limit = 1;  // the same when the user wants the job to end
constexpr double descendants_limit = 5; // for what PEs have started
constexpr double message_limit = 2;     // for room for a line of oshrun's own

// For the supervisor to act on a signal; more than all that it may wait for meanwhile.
constexpr double supervisor_limit = interrupt_limit + kill_limit + descendants_limit + last_words_limit + message_limit;

// For the keeper, which waits for the supervisor as long, and then ends what is left and says so.
constexpr double keeper_limit = supervisor_limit + descendants_limit + message_limit;

} // namespace skerry
