// SPDX-License-Identifier: BSD-3-Clause
// The PEs are children of the supervisor and get SIGKILL from the kernel when it dies; what they have started then
// falls to the front, which adopts orphans. The supervisor gets a signal when the front dies.
#include "front.hpp"

#include "clock.hpp"
#include "descendants.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "supervisor.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <initializer_list>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

// The terminal has told all of its process group; of its own end it tells the leader of the session alone.
bool was_told_to_all(const siginfo_t &info) {
    return info.si_code == SI_KERNEL && !(info.si_signo == SIGHUP && getsid(0) == getpid());
}

// Blocks the signals that are handled here. Those that were ignored at the start (nohup, background) stay so.
Inheritance watch_signals() {
    Inheritance inheritance;
    inheritance.front = getpid();
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) {
        struct sigaction action {};
        sigaction(signal, nullptr, &action);
        if (signal == SIGCHLD && action.sa_handler == SIG_IGN) {
            action.sa_handler = SIG_DFL; // else no end of a child would be told
            sigaction(signal, &action, nullptr);
        }
        if (action.sa_handler != SIG_IGN) sigaddset(&blocked, signal);
    }
    sigaddset(&blocked, front_died());
    inheritance.watched_signals = blocked;
    sigaddset(&blocked, SIGPIPE); // a write shall fail instead
    sigaddset(&blocked, SIGXFSZ);
    sigprocmask(SIG_BLOCK, &blocked, &inheritance.signal_mask);
    return inheritance;
}

int run_child(const std::function<int(const Inheritance &)> &supervise, const Inheritance &inheritance) {
    prctl(PR_SET_NAME, "skerry-job"); // "killall oshrun" shall find one of the two only
    prctl(PR_SET_PDEATHSIG, front_died());
    if (getppid() != inheritance.front) _exit(exit_failure);
    adopt_orphans();
    _exit(supervise(inheritance));
}

// Waits for the end of the supervisor and passes signals on to it; returns its status.
int wait_for(pid_t supervisor, const sigset_t &signals, int &interrupt) {
    double kill_at = 0;
    for (;;) {
        int status = 0;
        if (waitpid(supervisor, &status, WNOHANG) == supervisor) return status;
        siginfo_t info{};
        const struct timespec second = {1, 0};
        const int signal = kill_at > 0 ? sigtimedwait(&signals, &info, &second) : sigwaitinfo(&signals, &info);
        if (signal > 0 && signal != SIGCHLD) {
            if (!was_told_to_all(info)) kill(supervisor, signal);
            if (signal != SIGUSR1 && signal != SIGUSR2 && kill_at <= 0) {
                kill_at = now() + supervisor_patience;
                interrupt = signal;
            }
        }
        if (kill_at > 0 && now() > kill_at) kill(supervisor, SIGKILL);
    }
}

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

int run_supervised(const std::function<int(const Inheritance &)> &supervise) {
    const Inheritance inheritance = watch_signals();
    adopt_orphans();
    const pid_t supervisor = fork();
    if (supervisor < 0) stop(exit_failure, fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (supervisor == 0) run_child(supervise, inheritance);
    int interrupt = 0;
    const int status = wait_for(supervisor, inheritance.watched_signals, interrupt);
    end_descendants(descendants_patience);
    if (WIFSIGNALED(status)) {
        if (interrupt == 0)
            say(fmt::format("its supervisor (process {}) was killed by signal {}; job stopped", supervisor,
                            WTERMSIG(status)));
        return exit_signal + (interrupt != 0 ? interrupt : WTERMSIG(status));
    }
    if (interrupt == SIGINT && WEXITSTATUS(status) == exit_signal + SIGINT) end_by(SIGINT);
    return WEXITSTATUS(status);
}

} // namespace skerry
