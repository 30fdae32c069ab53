// SPDX-License-Identifier: BSD-3-Clause
// Assigns processors to PEs. The library hwloc finds out which processors share a core or a socket. The launcher opens
// hwloc only if PEs are pinned. To open hwloc without plug-ins, and to let it find only cores or only packages
// (sockets), takes 0.7 ms instead of 3 ms. If hwloc is missing, each processor counts as a core, and all processors
// count as one socket.
#include "placement.hpp"

#include "text_file.hpp"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace skerry {

namespace {

constexpr size_t word_bits = sizeof(unsigned long) * CHAR_BIT;

std::vector<int> allowed_processors() {
    std::vector<unsigned long> words(1024 / word_bits);
    // The kernel refuses a buffer that is shorter than its own mask of processors. Therefore the buffer is doubled
    // until the kernel accepts it.
    while (sched_getaffinity(0, words.size() * sizeof words[0], reinterpret_cast<cpu_set_t *>(words.data())) != 0) {
        if (words.size() > 65536 / word_bits) return {0};
        words.assign(words.size() * 2, 0);
    }
    std::vector<int> found;
    for (size_t bit = 0; bit < words.size() * word_bits; ++bit)
        if (words[bit / word_bits] >> bit % word_bits & 1) found.push_back(static_cast<int>(bit));
    return found;
}

// Returns the number of processors that this process's control groups (version 2) allow it to keep busy. A group's
// limit is the allowed CPU time of a period divided by the period, rounded up. The result is the smallest limit of all
// groups. Returns INT_MAX if no group has a limit.
int quota_processors() {
    const std::string own = read_text("/proc/self/cgroup");
    const size_t line = own.starts_with("0::") ? 0 : own.find("\n0::");
    std::string group;
    if (line != std::string::npos) {
        const size_t begin = own.find("::", line) + 2;
        group = own.substr(begin, own.find('\n', begin) - begin);
    }
    int least = INT_MAX;
    for (;;) {
        long quota = 0;
        long period = 0;
        const std::string text = read_text("/sys/fs/cgroup" + group + "/cpu.max");
        if (std::sscanf(text.c_str(), "%ld %ld", &quota, &period) == 2 && quota > 0 && period > 0)
            least = std::min(least, static_cast<int>((quota + period - 1) / period));
        if (group.empty() || group == "/") return least;
        group.resize(group.rfind('/'));
    }
}

// The library hwloc, which tells which processors share a core. The library is optional, so it is opened at run time.
struct Hwloc {
    void *library = dlopen("libhwloc.so.15", RTLD_NOW | RTLD_LOCAL);
    template <class Function> Function *get(const char *name) const {
        return reinterpret_cast<Function *>(dlsym(library, name));
    }
};
#define HWLOC(hwloc, name) (hwloc).get<decltype(hwloc_##name)>("hwloc_" #name)

using Groups = std::vector<std::vector<int>>; // each element: the processors that share one core, or one socket

Groups groups_of(const Hwloc &hwloc, hwloc_topology_t topology, hwloc_obj_type_t type,
                 const std::vector<int> &allowed) {
    Groups groups;
    const int depth = HWLOC(hwloc, get_type_depth)(topology, type);
    if (depth < 0) return groups;
    const unsigned count = HWLOC(hwloc, get_nbobjs_by_depth)(topology, depth);
    for (unsigned i = 0; i < count; ++i) {
        const hwloc_obj_t object = HWLOC(hwloc, get_obj_by_depth)(topology, depth, i);
        std::vector<int> members;
        for (const int processor : allowed)
            if (HWLOC(hwloc, bitmap_isset)(object->cpuset, static_cast<unsigned>(processor)))
                members.push_back(processor);
        if (!members.empty()) groups.push_back(std::move(members));
    }
    return groups;
}

Groups ask_hwloc(hwloc_obj_type_t type, const std::vector<int> &allowed) {
    if (access("/sys/devices/system/cpu", F_OK) != 0) return {}; // hwloc would find nothing and print an error
    setenv("HWLOC_PLUGINS_PATH", "/nonexistent", 1); // does not reach the PEs: their environment was copied earlier
    setenv("HWLOC_HIDE_ERRORS", "2", 0);
    const Hwloc hwloc;
    hwloc_topology_t topology;
    if (hwloc.library == nullptr || HWLOC(hwloc, topology_init)(&topology) != 0) return {};
    HWLOC(hwloc, topology_set_all_types_filter)(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    HWLOC(hwloc, topology_set_type_filter)(topology, type, HWLOC_TYPE_FILTER_KEEP_ALL);
    // Switches off hwloc's x86 back end. The back end runs on every processor in turn, which takes time.
    HWLOC(hwloc, topology_set_components)(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
    Groups groups;
    if (HWLOC(hwloc, topology_load)(topology) == 0) groups = groups_of(hwloc, topology, type, allowed);
    HWLOC(hwloc, topology_destroy)(topology);
    return groups;
}

ProcessorSet set_of(const std::vector<int> &processors) {
    ProcessorSet set;
    for (const int processor : processors) {
        const size_t bit = static_cast<size_t>(processor);
        if (set.size() <= bit / word_bits) set.resize(bit / word_bits + 1, 0);
        set[bit / word_bits] |= 1UL << bit % word_bits;
    }
    return set;
}

std::vector<ProcessorSet> place_on_cores(int pes, const std::vector<int> &allowed) {
    Groups cores = ask_hwloc(HWLOC_OBJ_CORE, allowed);
    if (cores.empty())
        for (const int processor : allowed) cores.push_back({processor});
    std::vector<int> order;
    for (size_t thread = 0; order.size() < allowed.size(); ++thread) {
        const size_t before = order.size();
        for (const auto &core : cores)
            if (thread < core.size()) order.push_back(core[thread]);
        if (order.size() == before) break; // hwloc does not report all allowed processors
    }
    std::vector<ProcessorSet> sets;
    for (int pe = 0; pe < pes; ++pe) sets.push_back(set_of({order[static_cast<size_t>(pe) % order.size()]}));
    return sets;
}

std::vector<ProcessorSet> place_on_sockets(int pes, const std::vector<int> &allowed) {
    Groups sockets = ask_hwloc(HWLOC_OBJ_PACKAGE, allowed);
    if (sockets.empty()) sockets.push_back(allowed);
    std::vector<ProcessorSet> sets;
    for (int pe = 0; pe < pes; ++pe)
        sets.push_back(set_of(sockets[static_cast<size_t>(pe) * sockets.size() / static_cast<size_t>(pes)]));
    return sets;
}

} // namespace

Processors available_processors() {
    Processors processors;
    processors.allowed = allowed_processors();
    processors.usable = std::min(static_cast<int>(processors.allowed.size()), quota_processors());
    return processors;
}

std::string identify_processors() {
    // Every boot of a machine has its own random number. All containers of the machine read the same number.
    std::string text = read_text("/proc/sys/kernel/random/boot_id");
    if (text.empty()) return text;
    for (const int processor : allowed_processors()) text += fmt::format("{},", processor);
    return text;
}

std::vector<ProcessorSet> place(Bind bind, int pes, const Processors &processors) {
    if (bind == Bind::core) return place_on_cores(pes, processors.allowed);
    if (bind == Bind::socket) return place_on_sockets(pes, processors.allowed);
    return {};
}

} // namespace skerry
