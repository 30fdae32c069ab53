// SPDX-License-Identifier: BSD-3-Clause
// Kills and reaps children until this process has none. When a process ends, its children become children of the
// nearest ancestor that adopts orphans (PR_SET_CHILD_SUBREAPER). Therefore a process that adopts orphans and has no
// child has no descendant at all. A descendant cannot escape by starting a session of its own or by a double fork.
#include "descendants.hpp"

#include "clock.hpp"
#include "limits.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace skerry {

namespace {

// Returns the children of this process. Searches all of /proc. Used only if the kernel has no file with the list of
// children (/proc/PID/task/PID/children).
std::vector<pid_t> search_children() {
    std::vector<pid_t> children;
    DIR *processes = opendir("/proc");
    if (processes == nullptr) return children;
    while (const dirent *entry = readdir(processes)) {
        const int process = std::atoi(entry->d_name);
        if (process <= 0) continue;
        const std::string status = read_text("/proc/" + std::string(entry->d_name) + "/stat");
        const size_t name_end = status.rfind(')'); // the process's name can contain any character, even ')'
        int parent = 0;
        if (name_end != std::string::npos && std::sscanf(status.c_str() + name_end + 1, " %*c %d", &parent) == 1 &&
            parent == getpid())
            children.push_back(process);
    }
    closedir(processes);
    return children;
}

std::vector<pid_t> list_children() {
    const std::string self = std::to_string(getpid());
    const std::string path = "/proc/" + self + "/task/" + self + "/children";
    if (access(path.c_str(), R_OK) != 0) return search_children();
    const std::string text = read_text(path);
    std::vector<pid_t> children;
    const char *rest = text.c_str();
    for (char *end = nullptr;; rest = end) {
        const long process = std::strtol(rest, &end, 10);
        if (end == rest) return children;
        children.push_back(static_cast<pid_t>(process));
    }
}

// Reaps all children that have ended. Returns false if this process has no child left.
bool reap_ended() {
    pid_t process;
    while ((process = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    return process == 0 || errno != ECHILD;
}

} // namespace

void adopt_orphans() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

bool end_descendants(double seconds) {
    sigset_t child_ended;
    sigemptyset(&child_ended);
    sigaddset(&child_ended, SIGCHLD);
    const double begun = now();
    while (reap_ended()) {
        bool refused = true;
        for (const pid_t child : list_children())
            if (kill(child, SIGKILL) == 0) refused = false;
        if (now() - begun > (refused ? std::min(refused_limit, seconds) : seconds)) return false;
        const struct timespec pause = {0, 10'000'000};
        sigtimedwait(&child_ended, nullptr, &pause);
    }
    return true;
}

} // namespace skerry
