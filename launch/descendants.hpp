// SPDX-License-Identifier: BSD-3-Clause
// Ends whatever the job has started, including what its programs started in turn.
#pragma once

namespace skerry {

// Orphans below this process become its children instead of those of the system.
void adopt_orphans();

// Kills and reaps all children, and the orphans that this makes children, until there are none; gives up (false) on
// those that withstand for `seconds`. SIGCHLD must be blocked.
bool end_descendants(double seconds);

} // namespace skerry
