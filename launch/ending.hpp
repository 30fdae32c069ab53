// SPDX-License-Identifier: BSD-3-Clause
// Decides how a PE ended, and what that means for the job.
#pragma once

#include "job_memory.hpp"

#include <string>
#include <sys/types.h>

namespace skerry {

struct Ending {
    enum Kind {
        well,            // no failure: the other PEs go on
        reported,        // failed, and the library has already printed an error message
        killed,          // killed by `signal`
        failed,          // exited with code `code`
        not_initialized, // exited with 0 before shmem_init; a failure only if another PE has called shmem_init
        not_finalized,   // exited with 0 between shmem_init and shmem_finalize
        global_exit,     // called shmem_global_exit
    };
    Kind kind = well;
    int pe = 0;
    pid_t process = 0;
    int code = 0; // exit code of the job if this ending stops the job
    int signal = 0;
    bool after_finalize = false;
    std::string killer{};     // sender of SIGKILL, in words (oom_kills.hpp); empty if unknown
    std::string unfinished{}; // for not_finalized: the calls that the PE omitted, such as "without shmem_finalize"
};

// Returns how PE `pe` ended. `status` is the status that waitpid gave for `process`. The other source is the PE's
// control block, a record in the job's memory that the PE's library writes.
Ending judge(int pe, pid_t process, int status, const JobMemory &memory);

// Returns the text in which the PE's library has named the calls that the PE omitted, for example "without
// shmem_finalize". Returns an empty text if the library wrote nothing.
std::string unfinished_of(const skerry_control &control);

// Returns the error message for the user, without "oshrun: ". Returns an empty text if the ending needs no message.
// Searches for the place of a crash in the source, which can take 10 s. `pes` is the number of PEs of the job.
std::string describe(const Ending &ending, const JobMemory &memory, int pes);

} // namespace skerry
