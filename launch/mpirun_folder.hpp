// SPDX-License-Identifier: BSD-3-Clause
// Declares the removal of the folder that an ended mpirun has left behind.
#pragma once

#include <sys/types.h>

namespace skerry {

// Removes the session folder of the mpirun of Open MPI with this process number, which has ended, if it exists. mpirun
// removes the folder itself, except if it was killed or has failed.
void remove_mpirun_folder(pid_t process);

} // namespace skerry
