// SPDX-License-Identifier: BSD-3-Clause
// Names the place of a crash in the user's code. Runs skerry-where to read symbols and debug information. skerry-where
// is a separate program because libdw is large, and because damaged debug information can make it crash. This file
// chooses the innermost place in the user's own code:
// * The user's own code is the program, and each library outside the system's folders that has debug information.
// * If some part of the program has debug information, its parts without debug information do not count.
// * Skerry's routines never count, also if they are linked into the program.
#include "where.hpp"

#include "clock.hpp"
#include "installation.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace skerry {

namespace {

constexpr double longest_search = 10; // seconds; debug information can have gigabytes

struct Place {
    std::string module, address, function, line; // each can be empty
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
    kill(process, SIGKILL); // has no effect if the process has ended
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

// Parses the output of skerry-where: lines of "MODULE\tADDRESS\tFUNCTION\tFILE:LINE", innermost place first.
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

enum class Owner { user, skerry, library, system };

bool is_our_routine(const Place &place) {
    const std::string_view function = place.function;
    return function.starts_with("shmem") || function.starts_with("pshmem") || function.starts_with("skerry_");
}

bool is_of_system(std::string_view path) {
    for (const char *folder : {"/lib/", "/lib32/", "/lib64/", "/usr/lib", "linux-vdso"})
        if (path.starts_with(folder)) return true;
    return false;
}

// Returns true if the place lies in the C library's start-up code, which calls main.
bool is_start(const Place &place) {
    return place.function.starts_with("_start") || place.function.starts_with("__libc_start");
}

class Places {
  public:
    Places(std::vector<Place> places, std::string_view program)
        : places_(std::move(places)), owners_(places_.size()), program_(program) {
        for (const Place &place : places_) lines_known_ |= is_of_program(place) && !place.line.empty();
        for (size_t i = places_.size(); i-- > 0;) owners_[i] = owner_of(i);
    }

    bool empty() const {
        return places_.empty();
    }
    // Returns the index of the innermost place whose code belongs to `owner`. Searches from place `begin` outwards.
    // Returns an empty value if there is no such place.
    std::optional<size_t> find(Owner owner, size_t begin = 0) const {
        for (size_t i = begin; i < places_.size(); ++i)
            if (owners_[i] == owner) return i;
        return std::nullopt;
    }

    std::string name(size_t i) const {
        const Place &place = places_[i];
        const std::string_view module = base_name(place.module);
        if (place.function.empty()) return fmt::format("{}+{}", module, place.address);
        if (owners_[i] == Owner::skerry && is_our_routine(place)) return place.function;
        std::string text = place.function;
        if (owners_[i] == Owner::user && !place.line.empty()) text += fmt::format(" at {}", base_name(place.line));
        if (!is_of_program(place)) text += fmt::format(" ({})", module);
        return text;
    }

    // Between place `caller` and the crash lie calls of routines that are not the user's code. Returns the index of the
    // routine among them that the user probably knows best: the outermost public routine of Skerry. If there is none,
    // returns the innermost place.
    size_t best_known(size_t caller) const {
        for (size_t i = caller; i-- > 0;)
            if (is_our_routine(places_[i]) && !places_[i].function.starts_with("skerry_")) return i;
        return 0;
    }

    bool in_program(size_t i) const {
        return is_of_program(places_[i]);
    }

  private:
    bool is_of_program(const Place &place) const {
        return place.module == program_;
    }

    // Returns true if a routine of Skerry that is linked into the program has called place i. Place i then belongs to
    // Skerry too. Exception: skerry_apply runs the user's functions for other PEs.
    bool is_called_by_ours(size_t i) const {
        if (i + 1 >= places_.size() || owners_[i + 1] != Owner::skerry) return false;
        const Place &caller = places_[i + 1];
        return is_of_program(caller) && caller.function != "skerry_apply";
    }

    Owner owner_of(size_t i) const {
        const Place &place = places_[i];
        if (is_our_routine(place) || base_name(place.module).starts_with("libskerry.so")) return Owner::skerry;
        if (is_of_program(place)) {
            if (is_start(place) || (lines_known_ && place.line.empty())) return Owner::system;
            return is_called_by_ours(i) ? Owner::skerry : Owner::user;
        }
        if (is_of_system(place.module)) return Owner::system;
        return place.line.empty() ? Owner::library : Owner::user;
    }

    std::vector<Place> places_; // innermost first
    std::vector<Owner> owners_;
    std::string_view program_;
    bool lines_known_ = false; // true: the program has debug information
};

} // namespace

std::string find_where(const skerry_crash &crash) {
    const Places places(look_up(crash), crash.modules[0]);
    if (places.empty()) return {};
    std::optional<size_t> user = places.find(Owner::user);
    if (!user) user = places.find(Owner::library);
    if (crash.frames[0].module == SKERRY_CRASH_NO_MODULE)
        return " in no function, called from " + places.name(user.value_or(0));
    if (!user) return " in " + places.name(0);
    // If the user's code has called the function that crashed, names both ("in memcpy, called from main"). Not for
    // abort(), because the functions that abort() calls are of no use to the user.
    if (*user > 0 && crash.signal != SIGABRT)
        return fmt::format(" in {}, called from {}", places.name(places.best_known(*user)), places.name(*user));
    const std::optional<size_t> caller = places.find(Owner::user, *user + 1);
    if (places.in_program(*user) || !caller) return " in " + places.name(*user);
    return fmt::format(" in {}, called from {}", places.name(*user), places.name(*caller));
}

} // namespace skerry
