// SPDX-License-Identifier: BSD-3-Clause
// The file behind all partitions of a job: without a name, so that nobody else can open it and nothing has to be
// removed. oshrun never maps it; it reads the control blocks of src/machine/linux/job.h from it.
#pragma once

#include "../src/machine/linux/job.h"

#include <string>

namespace skerry {

// Closes the memory of the job whose PE this process is, if it is one: the job that it starts has no business there.
void leave_outer_job();

class JobMemory {
  public:
    // Ends oshrun with a line when no such file can be had.
    JobMemory(int pes, uint64_t heap_bytes);

    int descriptor() const {
        return descriptor_;
    }

    // What a PE says of itself, without the crash record; all zero for a process that is no OpenSHMEM program.
    skerry_control control(int pe) const;
    skerry_crash crash(int pe) const;

    // The folder whose file system has no room left for this file; empty when there is room.
    std::string full_folder() const;

  private:
    int descriptor_ = -1;
    std::string folder_; // empty for a memfd
};

} // namespace skerry
