// SPDX-License-Identifier: BSD-3-Clause
// Removes the files that UCX has left in /dev/shm because its process was killed.
#pragma once

#include <ctime>

namespace skerry {

// UCX makes a file in /dev/shm and removes its name at once. A PE that is killed between the two leaves an empty file.
// Removes such files. Called when all PEs of this node have ended. A file is removed only if it is empty, if it belongs
// to this user, if it was made at the time `since` or later, and if no process has it open. So no process of another
// job still needs it.
void remove_ucx_files(time_t since);

} // namespace skerry
