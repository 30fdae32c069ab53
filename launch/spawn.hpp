// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of the PEs.
#pragma once

#include "placement.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/types.h>

namespace skerry {

// Everything that a new process reads until its exec. The process shares oshrun's memory until the exec. Therefore the
// request must be complete before spawn(), and oshrun must not change the request before the exec. The supervisor (the
// process of oshrun that starts the PEs) keeps the request for the whole job.
struct SpawnRequest {
    const char *path = nullptr;
    char *const *arguments = nullptr;
    char *const *script_arguments = nullptr; // for /bin/sh, if the kernel does not know the file's format; or null
    char *const *environment = nullptr;
    int input = -1;                             // becomes descriptor 0; -1: the process keeps oshrun's descriptor 0
    int output = -1;                            // becomes descriptor 1; -1: the process keeps oshrun's descriptor 1
    int error = -1;                             // becomes descriptor 2; -1: the process keeps oshrun's descriptor 2
    const ProcessorSet *processors = nullptr;   // processors that the process can run on; null: no pinning
    const sigset_t *signal_mask = nullptr;      // the signal mask that oshrun was started with
    const struct rlimit *descriptors = nullptr; // limit on open files before oshrun raised it; null: not raised
    pid_t parent = 0;
    volatile int failure = 0;        // written by the child: errno of a failed exec; 0 for none
    volatile bool is_script = false; // read and written by the child: the file is a script, which /bin/sh must run
};

// The stacks that new processes use until their exec, one stack for each process.
class SpawnStacks {
  public:
    explicit SpawnStacks(int count); // base() is null if there is not enough memory
    ~SpawnStacks();
    SpawnStacks(const SpawnStacks &) = delete;
    SpawnStacks &operator=(const SpawnStacks &) = delete;

    void *end_of(int index) const;
    void *base() const {
        return base_;
    }

  private:
    void *base_;
    size_t bytes_;
};

// Starts a process. Returns its process id, or -1 with errno. If `wait` is true, returns only after the exec has
// succeeded or failed. request.failure is then 0 if the exec has succeeded.
pid_t spawn(SpawnRequest &request, void *stack_end, bool wait);

} // namespace skerry
