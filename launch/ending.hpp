// SPDX-License-Identifier: BSD-3-Clause
// How a PE ended, and what that means for the job.
#pragma once

#include "job_memory.hpp"

#include <string>
#include <sys/types.h>

namespace skerry {

struct Ending {
    enum Kind {
        well,            // nothing to say; others go on
        reported,        // failed, and the library has said why
        killed,          // by `signal`
        failed,          // with exit code `code`
        not_initialized, // left before shmem_init; wrong only if other PEs are past it
        not_finalized,
        global_exit,
    };
    Kind kind = well;
    int pe = 0;
    pid_t process = 0;
    int code = 0; // of the job, if this ends it
    int signal = 0;
    bool after_finalize = false;
    std::string killer{};     // what is known of who sent SIGKILL (oom_kills.hpp)
    std::string unfinished{}; // of not_finalized: "without shmem_finalize" and the like
};

// `status` is that of waitpid for `process`.
Ending judge(int pe, pid_t process, int status, const JobMemory &memory);

// What the library says that this PE has left out, as "without shmem_finalize"; empty for nothing.
std::string unfinished_of(const skerry_control &control);

// The line for the user, without "oshrun: ". Looks up where a crash happened, which takes a while. Empty when there is
// nothing to say.
std::string describe(const Ending &ending, const JobMemory &memory, int pes);

} // namespace skerry
