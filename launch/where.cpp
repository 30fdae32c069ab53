// SPDX-License-Identifier: BSD-3-Clause
// skerry-where reads symbols and debug information; it is a program of its own because libdw is large and because
// foreign debug information may be broken. What counts for the user is the innermost place in the user's own code:
// not in a library, and not in the inline functions of our headers.
#include "where.hpp"

#include "clock.hpp"
#include "installation.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace skerry {

namespace {

constexpr double longest_search = 10; // seconds; debug information can be gigabytes

struct Place {
    std::string module, address, function, line; // each may be empty
};

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

std::string_view module_of(const skerry_crash &crash, uint32_t frame) {
    const uint32_t module = crash.frames[frame].module;
    return module < crash.module_count ? crash.modules[module] : std::string_view{};
}

std::string read_all(int pipe, pid_t process) {
    std::string text;
    const double end = now() + longest_search;
    std::array<char, 4096> buffer{};
    for (double left; (left = end - now()) > 0;) {
        struct pollfd wait = {pipe, POLLIN, 0};
        if (poll(&wait, 1, static_cast<int>(left * 1e3) + 1) <= 0) continue;
        const ssize_t length = read(pipe, buffer.data(), buffer.size());
        if (length <= 0) break;
        text.append(buffer.data(), static_cast<size_t>(length));
    }
    kill(process, SIGKILL); // without effect when it has ended
    return text;
}

std::string run_where(const std::vector<std::string> &words) {
    const std::string path = find_helper("skerry-where");
    std::array<int, 2> ends{};
    if (path.empty() || pipe2(ends.data(), O_CLOEXEC) != 0) return {};
    std::vector<char *> arguments;
    for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t process = fork();
    if (process == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, nullptr); // so that Ctrl-C ends a long search
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        dup2(ends[1], STDOUT_FILENO);
        const int nowhere = open("/dev/null", O_RDWR);
        dup2(nowhere, STDERR_FILENO);
        execv(path.c_str(), arguments.data());
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    if (process > 0) {
        text = read_all(ends[0], process);
        waitpid(process, nullptr, 0);
    }
    close(ends[0]);
    return text;
}

// Lines of "MODULE\tADDRESS\tFUNCTION\tFILE:LINE", innermost first.
std::vector<Place> parse_places(std::string_view text) {
    std::vector<Place> places;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        std::array<std::string, 4> fields;
        for (std::string &field : fields) {
            field = line.substr(0, line.find('\t'));
            line.remove_prefix(std::min(field.size() + 1, line.size()));
        }
        places.push_back({fields[0], fields[1], fields[2], fields[3]});
    }
    return places;
}

std::vector<Place> look_up(const skerry_crash &crash) {
    std::vector<std::string> words = {"skerry-where"};
    std::string_view last;
    for (uint32_t i = 0; i < crash.frame_count; ++i) {
        const std::string_view module = module_of(crash, i);
        if (module.empty()) continue;
        if (module != last) words.emplace_back(module);
        last = module;
        words.push_back(fmt::format("{:#x}", crash.frames[i].address));
    }
    return words.size() > 1 ? parse_places(run_where(words)) : std::vector<Place>{};
}

bool is_library(const Place &place) {
    const std::string_view name = base_name(place.module);
    return name.find(".so") != std::string_view::npos || name.starts_with('[');
}

// Our routines: in the library, or compiled into the user's program from our headers.
bool is_ours(const Place &place) {
    const std::string_view function = place.function;
    return function.starts_with("shmem") || function.starts_with("pshmem") || function.starts_with("skerry_");
}

bool is_the_users(const Place &place) {
    return !is_library(place) && !is_ours(place);
}

std::string name(const Place &place) {
    if (place.function.empty()) return fmt::format("{}+{}", base_name(place.module), place.address);
    if (is_ours(place)) return place.function;
    if (is_library(place)) return fmt::format("{} ({})", place.function, base_name(place.module));
    return place.line.empty() ? place.function : fmt::format("{} at {}", place.function, base_name(place.line));
}

// Of what the user's code has called, the routine that it knows by name.
const Place &best_known(const std::vector<Place> &places, size_t user) {
    for (size_t i = user; i-- > 0;)
        if (is_ours(places[i]) && !places[i].function.starts_with("skerry_")) return places[i];
    return places[0];
}

} // namespace

std::string find_where(const skerry_crash &crash) {
    const std::vector<Place> places = look_up(crash);
    if (places.empty()) return {};
    // abort() is reached through functions that nobody asked about.
    const bool innermost_counts = crash.signal != SIGABRT;
    for (size_t i = 0; i < places.size(); ++i) {
        if (!is_the_users(places[i])) continue;
        if (i == 0 || !innermost_counts) return " in " + name(places[i]);
        return fmt::format(" in {}, called from {}", name(best_known(places, i)), name(places[i]));
    }
    return " in " + name(places[0]);
}

} // namespace skerry
