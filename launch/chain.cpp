// SPDX-License-Identifier: BSD-3-Clause
#include "chain.hpp"

#include "clock.hpp"
#include "message.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

// Returns true if the kernel has sent the signal to the whole process group. The kernel sends the signals of a terminal
// to a group, for example SIGINT for Ctrl-C. The supervisor (the parent of the PEs) and the PEs are in the same group
// as this process. Both have already got the signal from the kernel. Therefore the caller must not pass the signal on.
// Exception: if a terminal closes, the kernel sends SIGHUP only to the session's leader.
bool was_told_to_all(const siginfo_t &info) {
    return info.si_code == SI_KERNEL && !(info.si_signo == SIGHUP && getsid(0) == getpid());
}

void pass_on(const siginfo_t &info, pid_t process) {
    if (was_told_to_all(info)) return;
    kill(process, info.si_signo);
    // The signal launcher_died() means that another process of oshrun (front or keeper) has died. If `process` was
    // stopped by SIGSTOP, `process` handles the signal only after a SIGCONT. The dead process was possibly the only
    // sender of SIGCONT, so this function sends SIGCONT.
    if (info.si_signo == launcher_died()) kill(process, SIGCONT);
}

} // namespace

void ask_for_death_of(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, launcher_died());
    if (getppid() != parent) _exit(exit_failure);
}

Awaited await(pid_t process, const sigset_t &signals, double limit, bool at_once, double deadline) {
    Awaited result;
    double kill_at = at_once ? now() + limit : 0;
    for (bool first = true;; first = false) {
        const pid_t ended = waitpid(process, &result.status, WNOHANG);
        result.ended = ended == process;
        if (ended != 0) return result;
        if (first && at_once) kill(process, SIGCONT);
        siginfo_t info{};
        const struct timespec second = {1, 0};
        const bool has_limit = kill_at > 0 || deadline > 0;
        const int signal = has_limit ? sigtimedwait(&signals, &info, &second) : sigwaitinfo(&signals, &info);
        if (signal > 0 && signal != SIGCHLD) {
            pass_on(info, process);
            if (signal != SIGUSR1 && signal != SIGUSR2 && kill_at <= 0) {
                kill_at = now() + limit;
                result.interrupt = signal;
            }
        }
        if (deadline > 0 && now() > deadline) {
            if (kill_at <= 0) kill_at = now() + limit;
            deadline = 0;
            result.late = true;
            kill(process, SIGCONT);
        }
        if (kill_at > 0 && now() > kill_at) {
            kill(process, SIGKILL);
            result.killed = true;
        }
    }
}

} // namespace skerry
