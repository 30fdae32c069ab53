// SPDX-License-Identifier: BSD-3-Clause
// The keeper is the process between front (which the user started) and supervisor (the parent of the PEs; chain.hpp).
// The keeper must survive if a user kills several processes of oshrun at once.
// * A user names several processes by their process group, session, terminal, name or command line. The keeper shares
//   none of these with front and supervisor.
// * The supervisor must stay in the front's group and session, for job control. A child inherits group and session from
//   its parent, the keeper. Therefore the keeper starts the supervisor first, and leaves group and session then.
// * The supervisor waits until the keeper has left them.
#include "keeper.hpp"

#include "descendants.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <cerrno>
#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

// Name of the keeper's process. The names of front and supervisor contain "oshrun" or "skerry"; this name contains
// neither. A command that kills all processes of such a name leaves the keeper alive.
constexpr char keeper_name[] = "job-keeper";

// Overwrites the command line that ps and pgrep -f show. The kernel reads the command line from the memory of main's
// arguments, which lie one behind the other.
void replace_command_line(std::span<char *> arguments) {
    char *const begin = arguments.front();
    char *const end = arguments.back() + std::strlen(arguments.back());
    if (end < begin) return; // the arguments do not lie one behind the other
    const auto length = static_cast<size_t>(end - begin);
    std::memset(begin, 0, length);
    std::memcpy(begin, keeper_name, std::min(length, sizeof keeper_name - 1));
}

void set_apart(std::span<char *> arguments, SharedPlace &shared) {
    prctl(PR_SET_NAME, keeper_name);
    replace_command_line(arguments);
    setsid();
    shared.keeper_apart = true;
}

[[noreturn]] void run_supervisor(const std::function<int(const Inheritance &)> &supervise,
                                 const Inheritance &inheritance) {
    prctl(PR_SET_NAME, "skerry-job"); // so that "killall oshrun" finds the front only
    inheritance.shared->supervisor = getpid();
    ask_for_death_of(inheritance.keeper);
    adopt_orphans();
    while (!inheritance.shared->keeper_apart) {
        if (getppid() != inheritance.keeper) _exit(exit_failure);
        const struct timespec moment = {0, 50'000};
        nanosleep(&moment, nullptr);
    }
    _exit(supervise(inheritance));
}

} // namespace

void run_keeper(const std::function<int(const Inheritance &)> &supervise, Inheritance inheritance,
                std::span<char *> arguments) {
    inheritance.keeper = getpid();
    sigaddset(&inheritance.watched_signals, launcher_died());
    sigprocmask(SIG_BLOCK, &inheritance.watched_signals, nullptr);
    ask_for_death_of(inheritance.front);
    adopt_orphans();
    const pid_t supervisor = fork();
    if (supervisor < 0) stop(exit_failure, fmt::format("cannot start a process of oshrun: {}", std::strerror(errno)));
    if (supervisor == 0) run_supervisor(supervise, inheritance);
    set_apart(arguments, *inheritance.shared);
    const double deadline = inheritance.deadline > 0 ? inheritance.deadline + timeout_continue_limit : 0;
    const Awaited awaited = await(supervisor, inheritance.watched_signals, supervisor_limit, false, deadline);
    end_descendants(descendants_limit);
    if (!WIFSIGNALED(awaited.status)) _exit(WEXITSTATUS(awaited.status));
    if (awaited.late && awaited.killed && awaited.interrupt == 0) {
        say(fmt::format("job stopped after {} s (--timeout) by killing process {} of oshrun, which did not end it",
                        inheritance.timeout_seconds, supervisor));
        _exit(exit_timeout);
    }
    if (awaited.interrupt == 0)
        say(fmt::format("process {} of oshrun was killed by signal {}; job stopped", supervisor,
                        WTERMSIG(awaited.status)));
    _exit(exit_signal + (awaited.interrupt != 0 ? awaited.interrupt : WTERMSIG(awaited.status)));
}

} // namespace skerry
