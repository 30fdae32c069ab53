// SPDX-License-Identifier: BSD-3-Clause
// Starts the processes of the PEs.
#pragma once

#include "placement.hpp"

#include <csignal>
#include <sys/resource.h>
#include <sys/types.h>

namespace skerry {

// All that a new process needs, ready before it exists: it shares oshrun's memory until it runs the program. Must stay
// as it is until then, that is, for the whole job.
struct SpawnRequest {
    const char *path = nullptr;
    char *const *arguments = nullptr;
    char *const *script_arguments = nullptr; // for the shell, should the kernel not know the file's format; or null
    char *const *environment = nullptr;
    int input = -1; // becomes descriptor 0; -1 leaves it as it is
    int output = -1;
    int error = -1;
    const ProcessorSet *processors = nullptr;   // null: where the kernel likes
    const sigset_t *signal_mask = nullptr;      // the one that oshrun was started with
    const struct rlimit *descriptors = nullptr; // likewise, null when unchanged
    pid_t parent = 0;
    volatile int failure = 0;        // out: errno of the exec, before the process ends
    volatile bool is_script = false; // out: it was the shell that could be executed
};

// Stacks on which new processes live until they run the program, one each.
class SpawnStacks {
  public:
    explicit SpawnStacks(int count); // base() is null when there is no memory
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

// The process id, or -1 with errno. With `wait` it returns once the program runs or could not be run.
pid_t spawn(SpawnRequest &request, void *stack_end, bool wait);

} // namespace skerry
