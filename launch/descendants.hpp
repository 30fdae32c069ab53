// SPDX-License-Identifier: BSD-3-Clause
// Ends all processes that the job has started, including those that its programs have started.
#pragma once

namespace skerry {

// Makes this process adopt orphans: a descendant whose parent dies becomes a child of this process, not of init.
void adopt_orphans();

// Kills and reaps all children of this process. Orphans then become its children; kills and reaps these too, until no
// child is left. Returns true if no child is left, false if children still live after `seconds`. If the kernel refuses
// every kill, the wait is also limited to refused_limit seconds (limits.hpp). The caller must have blocked SIGCHLD.
bool end_descendants(double seconds);

} // namespace skerry
