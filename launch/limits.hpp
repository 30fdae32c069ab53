// SPDX-License-Identifier: BSD-3-Clause
// How long the launcher waits for others, in seconds. Only a job that goes well waits without limit: for its PEs, and for
// the reader of their output, as any program does; --timeout limits that, too.
#pragma once

namespace skerry {

constexpr double interrupt_patience = 2;   // for PEs that catch the signal and tidy up
constexpr double kill_patience = 10;       // for PEs after SIGKILL: the kernel may have much memory to give back
constexpr double refused_patience = 1;     // the same where the kernel refuses to kill them
constexpr double reader_patience = 10;     // for a reader of the output that takes nothing, after a failure
constexpr double last_words_patience = 1;  // the same when the user wants the job to end
constexpr double descendants_patience = 5; // for what PEs have started
constexpr double message_patience = 2;     // for room for a line of oshrun's own

// For the supervisor to act on a signal; more than all that it may wait for meanwhile.
constexpr double supervisor_patience =
    interrupt_patience + kill_patience + descendants_patience + last_words_patience + message_patience;

// For the keeper, which waits for the supervisor as long, and then ends what is left and says so.
constexpr double keeper_patience = supervisor_patience + descendants_patience + message_patience;

} // namespace skerry
