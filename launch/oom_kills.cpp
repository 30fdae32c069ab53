// SPDX-License-Identifier: BSD-3-Clause
// Reads the kernel's counter of processes that it killed because memory ran out. The kernel's documentation describes
// three files with such a counter:
// * memory.events of control groups version 2 (the counter includes the groups below the group);
// * memory.oom_control of version 1;
// * /proc/vmstat for the whole system.
//
// /proc/self/cgroup has the path of the group as seen outside a container. In a container the tree of control groups
// can begin at the container's own group, and the path does not exist there. Then the file at the root of the tree is
// read.
#include "oom_kills.hpp"

#include "text_file.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace skerry {

namespace {

constexpr std::string_view counter_name = "oom_kill ";

struct Group {
    std::string folder, path, file;
};

// Returns the control group that counts this process's memory, from the text of /proc/self/cgroup. A line of this text
// has the form NUMBER:CONTROLLERS:PATH. In version 2 of control groups CONTROLLERS is empty.
Group find_group(std::string_view lines) {
    Group found;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(line.size() < lines.size() ? line.size() + 1 : line.size());
        const size_t first = line.find(':');
        const size_t second = first == line.npos ? first : line.find(':', first + 1);
        if (second == line.npos) continue;
        const std::string controllers = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
        const std::string path(line.substr(second + 1));
        if (controllers.find(",memory,") != controllers.npos)
            return {"/sys/fs/cgroup/memory", path, "/memory.oom_control"};
        if (controllers == ",,") found = {"/sys/fs/cgroup", path, "/memory.events"};
    }
    return found;
}

} // namespace

std::optional<long> find_oom_kill(const std::string &text) {
    size_t at = text.starts_with(counter_name) ? 0 : text.find("\n" + std::string(counter_name));
    if (at == text.npos) return std::nullopt;
    if (text[at] == '\n') ++at;
    return std::strtol(text.c_str() + at + counter_name.size(), nullptr, 10);
}

OomKills::OomKills(std::string root) : root_(std::move(root)) {
    const Group group = find_group(read_text(root_ + "/proc/self/cgroup"));
    if (choose(group.folder + group.path + group.file) || choose(group.folder + group.file)) return;
    of_system_ = choose("/proc/vmstat");
}

bool OomKills::choose(const std::string &path) {
    const std::optional<long> count = find_oom_kill(read_text(root_ + path));
    if (!count) return false;
    path_ = path;
    at_start_ = *count;
    return true;
}

std::string OomKills::describe_killer() const {
    if (path_.empty() || find_oom_kill(read_text(root_ + path_)).value_or(at_start_) <= at_start_) return {};
    return of_system_ ? ", probably by the kernel because memory ran out (OOM)"
                      : ", by the kernel because memory ran out (OOM)";
}

} // namespace skerry
