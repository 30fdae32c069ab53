// SPDX-License-Identifier: BSD-3-Clause
// Ends all processes that the job has started, including those that its programs have started.
#pragma once

namespace skerry {

// Makes this process adopt orphans: a descendant whose parent dies becomes a child of this process, not of init.
void adopt_orphans();

// Kills and reaps all children of this process, and then the orphans that become its children, until it has no child.
// Returns true if no child is left; false if some still live after `seconds`, or after refused_limit (limits.hpp) if
// that is less and the kernel refuses to kill each of them. The caller must have blocked SIGCHLD.
bool end_descendants(double seconds);

} // namespace skerry
