// SPDX-License-Identifier: BSD-3-Clause
// Finds the tuning values of this processor (tuning.h: for example, which loop copies fastest) in a cache file. If the
// file does not exist, runs skerry-tune, which measures the values and writes the file. skerry-tune is a separate
// program, because it measures the library's code and oshrun does not contain the library.
#include "tuning.hpp"

#include "../src/machine/linux/tuning_file.h"
#include "clock.hpp"
#include "installation.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace skerry {

namespace {

constexpr double limit_seconds = 1;
constexpr long look_nanoseconds = 500'000;

// Polls until the process has ended, at most limit_seconds. Returns true if the process has ended.
bool ends_in_time(pid_t process) {
    const double end = now() + limit_seconds;
    for (;;) {
        const pid_t ended = waitpid(process, nullptr, WNOHANG);
        if (ended == process) return true;
        if (ended < 0 && errno != EINTR) return false;
        if (now() > end) return false;
        const struct timespec moment { 0, look_nanoseconds };
        nanosleep(&moment, nullptr);
    }
}

void measure_once() {
    std::string program = find_helper("skerry-tune");
    if (program.empty()) return;
    std::string option = "--first";
    char *arguments[] = {program.data(), option.data(), nullptr};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
    pid_t process = -1;
    const int failure = posix_spawn(&process, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0 || ends_in_time(process)) return;
    kill(process, SIGKILL);
    waitpid(process, nullptr, 0);
}

// Returns true if the file `path` can be created: this process is allowed to write to the deepest existing folder of
// the path.
bool can_be_kept(std::string path) {
    do path.resize(path.rfind('/'));
    while (!path.empty() && access(path.c_str(), F_OK) != 0);
    return access(path.empty() ? "/" : path.c_str(), W_OK) == 0;
}

} // namespace

std::string tuning_path() {
    std::string path(SKERRY_TUNING_PATH_BYTES, '\0');
    if (!skerry_tuning_path(path.data())) return {};
    path.resize(path.find('\0'));
    return path;
}

std::string find_tuning() {
    std::string values(SKERRY_TUNING_TEXT_BYTES, '\0');
    const char *setting = std::getenv("SKERRY_TUNING");
    const std::string path = tuning_path();
    if (path.empty() || (setting != nullptr && std::string_view(setting) == "none")) return {};
    if (!skerry_read_tuning(path.c_str(), values.data())) {
        if (!can_be_kept(path)) return {};
        measure_once();
        if (!skerry_read_tuning(path.c_str(), values.data())) return {};
    }
    values.resize(values.find('\0'));
    return values;
}

} // namespace skerry
