// SPDX-License-Identifier: BSD-3-Clause
// The front is the process of oshrun that the user started. The front starts the keeper (keeper.hpp), passes signals on
// to the keeper, and returns the keeper's exit code. If the keeper is killed, the front becomes the parent of the
// supervisor, which is the parent of all PEs. Then the front waits until the supervisor has ended the job.
#include "front.hpp"

#include "clock.hpp"
#include "descendants.hpp"
#include "keeper.hpp"
#include "limits.hpp"
#include "message.hpp"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <new>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

// Blocks the signals that the launcher handles by waiting for them (sigwaitinfo, signalfd). A signal that was ignored
// when oshrun started (by nohup, or in a background job) stays ignored. Returns the front's process id and the signal
// masks.
Inheritance watch_signals() {
    Inheritance inheritance;
    inheritance.front = getpid();
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (signal == SIGCHLD && action.sa_handler == SIG_IGN) {
            action.sa_handler = SIG_DFL; // while SIGCHLD is ignored, the kernel does not report a child's end
            sigaction(signal, &action, nullptr);
        }
        if (action.sa_handler != SIG_IGN) sigaddset(&blocked, signal);
    }
    inheritance.watched_signals = blocked;
    sigaddset(&blocked, SIGPIPE); // while SIGPIPE or SIGXFSZ is blocked, a write fails and does not kill this process
    sigaddset(&blocked, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &blocked, &inheritance.signal_mask);
    return inheritance;
}

SharedPlace *share_place() {
    void *memory = mmap(nullptr, sizeof(SharedPlace), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) stop(exit_failure, fmt::format("no memory: {}", std::strerror(errno)));
    return new (memory) SharedPlace;
}

// Waits for the supervisor (the parent of the PEs) after the keeper (the parent of the supervisor) was killed. The
// kernel has sent launcher_died() (a signal) to the supervisor. The supervisor then ends the job and itself. The front
// (this process) does not kill the supervisor: then only the front could end the job.
void let_supervisor_end(const Inheritance &inheritance) {
    const pid_t supervisor = inheritance.shared->supervisor;
    // The supervisor writes its process id to shared memory before it checks that the keeper lives (chain.hpp). If
    // shared memory has no process id yet, the supervisor has started no PE and will start none.
    if (supervisor != 0) await(supervisor, inheritance.watched_signals, supervisor_limit, true);
}

// Ends this process by a signal. The signal is blocked. Therefore raise() only marks the signal as pending, and
// SIG_UNBLOCK delivers it.
[[noreturn]] void end_by(int signal) {
    std::signal(signal, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    raise(signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    _exit(exit_signal + signal);
}

} // namespace

int run_supervised(const std::function<int(const Inheritance &)> &supervise, std::span<char *> arguments,
                   std::optional<double> timeout_seconds) {
    Inheritance inheritance = watch_signals();
    if (timeout_seconds) {
        inheritance.timeout_seconds = *timeout_seconds;
        inheritance.deadline = now() + *timeout_seconds;
    }
    inheritance.shared = share_place();
    adopt_orphans();
    const pid_t keeper = fork();
    if (keeper < 0) stop(exit_failure, fmt::format("cannot start a process of oshrun: {}", std::strerror(errno)));
    if (keeper == 0) run_keeper(supervise, inheritance, arguments);
    const Awaited awaited = await(keeper, inheritance.watched_signals, keeper_limit);
    if (WIFSIGNALED(awaited.status) && !awaited.killed) let_supervisor_end(inheritance);
    end_descendants(descendants_limit);
    if (WIFSIGNALED(awaited.status)) {
        const int signal = WTERMSIG(awaited.status);
        if (awaited.interrupt == 0)
            say(fmt::format("process {} of oshrun was killed by signal {}; job stopped", keeper, signal));
        return exit_signal + (awaited.interrupt != 0 ? awaited.interrupt : signal);
    }
    const int code = WEXITSTATUS(awaited.status);
    if (awaited.interrupt == SIGINT && code == exit_signal + SIGINT) end_by(SIGINT);
    return code;
}

} // namespace skerry
