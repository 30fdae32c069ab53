// SPDX-License-Identifier: BSD-3-Clause
// Gathers the facts that skerry info prints. A version number does not prove that the kernel has a feature. Therefore a
// feature of the kernel is tried if possible.
#include "information.hpp"

#include "build.hpp"
#include "../src/machine/linux/layout.h"
#include "../src/machine/linux/network.h"
#include "../src/machine/linux/tuning_file.h"
#include "installation.hpp"
#include "placement.hpp"
#include "tuning.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fstream>
#include <linux/membarrier.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace skerry {

namespace {

std::string first_line(const std::string &path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Returns VALUE of the first line "NAME : VALUE" of /proc/cpuinfo whose NAME is one of `names`.
std::string processor_entry(std::initializer_list<std::string_view> names) {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const size_t colon = line.find(':');
        const std::string name = line.substr(0, line.find_last_not_of(" \t", colon - 1) + 1);
        if (colon != std::string::npos && colon + 2 <= line.size() && std::ranges::count(names, name) > 0)
            return line.substr(colon + 2);
    }
    return {};
}

// Returns the processor's features that a copy of memory can use.
std::string copy_features() {
    static constexpr std::string_view useful[] = {"sse2",    "erms",     "fsrm",    "avx",    "avx2",
                                                  "avx512f", "avx512vl", "movdiri", "clzero", "movdir64b",
                                                  "asimd",   "sve",      "sve2",    "mops"};
    std::istringstream flags(processor_entry({"flags", "Features"}));
    std::string found;
    for (std::string flag; flags >> flag;)
        if (std::ranges::count(useful, flag) > 0) found += (found.empty() ? "" : " ") + flag;
    return found.empty() ? "unknown" : found;
}

// Returns the word that stands in brackets: "always" for the text "[always] madvise never".
std::string chosen(const std::string &choices) {
    const size_t begin = choices.find('[');
    const size_t end = choices.find(']');
    return begin == std::string::npos || end == std::string::npos ? "absent"
                                                                  : choices.substr(begin + 1, end - begin - 1);
}

std::string memfd_support() {
    const int file = memfd_create("skerry-info", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return "no";
    close(file);
    return "yes";
}

std::string membarrier_support() {
    const long commands = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
    if (commands < 0) return "no";
    return (commands & MEMBARRIER_CMD_GLOBAL_EXPEDITED) != 0 ? "global expedited" : "without global expedited";
}

// Returns "yes" if this process is allowed to switch off address randomisation. Tries it: switches it off and back on.
// A container's filter of system calls can refuse this, and no file shows this filter.
std::string fixed_addresses() {
    const int before = personality(0xffffffff);
    if (before < 0 || personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) < 0) return "no";
    personality(static_cast<unsigned long>(before));
    return "yes";
}

uint64_t memory_bytes() {
    return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

Fact megabytes(std::string name, uint64_t bytes, std::string remark = {}) {
    return {std::move(name), std::to_string(bytes >> 20), "MB", std::move(remark)};
}

void add_limits(std::vector<Fact> &facts) {
    facts.push_back({"version", SKERRY_VERSION, {}});
    facts.push_back({"build", library_build(), {}, "with a hash of the sources; the same on all nodes of a job"});
    facts.push_back({"pes_max", std::to_string(SKERRY_PES_MAX), {}});
    facts.push_back(megabytes("partition", SKERRY_PARTITION_BYTES, "address space of one PE"));
    facts.push_back(megabytes("heap_max", SKERRY_HEAP_BYTES_MAX, "of one PE, --heap"));
    facts.push_back(
        megabytes("heap_default", SKERRY_HEAP_BYTES_DEFAULT, "of one PE; a page takes memory when it is first used"));
}

// An optional module of the library. The build makes a module only if the library that the module needs was present.
struct Module {
    void *handle;       // NULL if a job cannot use the module
    std::string answer; // "yes", or "no: " and the reason
};

// Loads a module as a job does. `package` is the package with which the build makes the module.
Module open_module(const char *name, const char *package) {
    const std::string path = find_module(name);
    if (path.empty()) return {nullptr, fmt::format("no: Skerry was built without {}", package)};
    void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return {handle, "yes"};
    const char *reason = dlerror();
    return {nullptr, fmt::format("no: {}", reason != nullptr ? reason : "the module cannot be loaded")};
}

void *find_function(const Module &module, const char *name) {
    return module.handle == nullptr ? nullptr : dlsym(module.handle, name);
}

// Returns the transports of UCX on this machine; an empty text if UCX cannot be used.
std::string list_transports(const Module &network) {
    void *symbol = find_function(network, SKERRY_NETWORK_DESCRIBE);
    if (symbol == nullptr) return {};
    std::array<char, 1024> names{};
    reinterpret_cast<skerry_network_describe_function *>(symbol)(names.data(), names.size());
    return names.data();
}

// Returns a word for the way in which large puts between nodes work. The user can choose another way by the variable
// SKERRY_NETWORK_PUT.
// * "remote": the network writes to the other PE's memory.
// * "message": the other node receives a message and writes the data.
std::string large_puts(const Module &network) {
    void *symbol = find_function(network, SKERRY_NETWORK_IS_REMOTE);
    if (symbol == nullptr) return {};
    return reinterpret_cast<skerry_network_is_remote_function *>(symbol)() ? "remote" : "message";
}

// Adds the facts about network/ucx.so, the module of the library that connects nodes by UCX.
void add_network(std::vector<Fact> &facts) {
    setenv("UCX_ERROR_SIGNALS", "", 0);
    setenv("UCX_LOG_LEVEL", "fatal", 0);
    const Module network = open_module("network/ucx.so", "UCX (libucx-dev)");
    facts.push_back({"ucx", network.answer, {}, "jobs on several nodes"});
    if (const std::string transports = list_transports(network); !transports.empty())
        facts.push_back({"transports", transports, {}, "of UCX on this machine"});
    if (const std::string way = large_puts(network); !way.empty())
        facts.push_back({"network_put", way, {}, "how large puts travel between nodes"});
}

// Adds the facts about the optional modules of the library: the one for the network, and start/pmix.so, by which other
// launchers start jobs.
void add_modules(std::vector<Fact> &facts) {
    add_network(facts);
    const Module start = open_module("start/pmix.so", "PMIx (libpmix-dev)");
    facts.push_back({"pmix", start.answer, {}, "srun, mpirun and prterun start jobs without oshrun"});
}

// Adds the values that skerry-tune stored in the tuning file. Does not measure. Only the first job on a processor model
// and the command skerry tune measure.
void add_tuning(std::vector<Fact> &facts) {
    const std::string path = tuning_path();
    std::string values(SKERRY_TUNING_TEXT_BYTES, '\0');
    const bool known = !path.empty() && skerry_read_tuning(path.c_str(), values.data());
    facts.push_back({"tuning", known ? values.c_str() : "not measured yet", {}});
    if (known) facts.push_back({"tuning_file", path, {}});
    for (const char *name : {"SKERRY_TUNING", "SKERRY_COPY"}) {
        const char *value = std::getenv(name);
        if (value && *value)
            facts.push_back({"tuning_overruled", fmt::format("{}={}", name, value), {}, "by the environment"});
    }
}

void add_processors(std::vector<Fact> &facts) {
    const Processors processors = available_processors();
    std::string model = processor_entry({"model name", "Model", "CPU part"});
    facts.push_back({"processor", model.empty() ? "unknown" : model, {}});
    facts.push_back({"processors", std::to_string(processors.allowed.size()), {}, "that this process may run on"});
    facts.push_back({"processors_usable",
                     std::to_string(processors.usable),
                     {},
                     "at the same time, by the limits of the control group"});
    facts.push_back({"copy_features", copy_features(), {}});
    add_tuning(facts);
    for (int index = 0;; ++index) {
        const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
        const std::string size = first_line(folder + "size"); // "32K"
        if (size.empty()) break;
        if (first_line(folder + "type") != "Instruction")
            facts.push_back({"cache_l" + first_line(folder + "level"), size.substr(0, size.find('K')), "KB"});
    }
}

void add_kernel(std::vector<Fact> &facts) {
    struct utsname name {};
    uname(&name);
    struct rlimit files {};
    getrlimit(RLIMIT_NOFILE, &files);
    facts.push_back({"kernel", fmt::format("{} {} {}", name.sysname, name.release, name.machine), {}});
    facts.push_back({"memfd", memfd_support(), {}, "the job's memory is a file without a name"});
    facts.push_back(
        {"membarrier", membarrier_support(), {}, "the PE that sleeps, not each writer, executes the fence"});
    facts.push_back({"fixed_addresses", fixed_addresses(), {}, "address randomisation can be switched off"});
    facts.push_back({"open_files", std::to_string(files.rlim_max), {}, "oshrun needs two for each PE, and 32"});
}

void add_memory(std::vector<Fact> &facts) {
    const std::string huge = "/sys/kernel/mm/transparent_hugepage/";
    facts.push_back(megabytes("memory", memory_bytes()));
    facts.push_back({"huge_pages", chosen(first_line(huge + "enabled")), {}});
    facts.push_back({"huge_pages_shared", chosen(first_line(huge + "shmem_enabled")), {}, "for SKERRY_HUGE_PAGES"});
    struct statvfs status {};
    if (statvfs("/dev/shm", &status) == 0)
        facts.push_back(megabytes("dev_shm_free", status.f_bavail * status.f_frsize, "used only without memfd"));
}

bool is_number(const std::string &text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::string json_string(const std::string &text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        if (static_cast<unsigned char>(c) >= ' ') quoted += c;
    }
    return quoted + '"';
}

} // namespace

std::vector<Fact> gather_information() {
    std::vector<Fact> facts;
    add_limits(facts);
    add_modules(facts);
    add_processors(facts);
    add_kernel(facts);
    add_memory(facts);
    return facts;
}

std::vector<Fact> gather_node_facts() {
    std::vector<Fact> facts;
    facts.push_back({"processors", std::to_string(available_processors().usable), {}});
    facts.push_back(megabytes("memory", memory_bytes()));
    add_network(facts);
    return facts;
}

std::string format_table(const std::vector<Fact> &facts) {
    std::string table;
    for (const Fact &fact : facts) {
        std::string name = fact.name;
        std::ranges::replace(name, '_', ' ');
        const std::string value = fact.value + (fact.unit.empty() ? "" : " " + fact.unit);
        table += fact.remark.empty() ? fmt::format("{:<18} {}\n", name, value)
                                     : fmt::format("{:<18} {:<18} ({})\n", name, value, fact.remark);
    }
    return table;
}

std::string format_json(const std::vector<Fact> &facts) {
    std::string object = "{\n";
    for (const Fact &fact : facts) {
        std::string name = fact.name;
        if (!fact.unit.empty()) name += fact.unit == "MB" ? "_mb" : "_kb";
        object +=
            fmt::format("  {}: {}{}\n", json_string(name), is_number(fact.value) ? fact.value : json_string(fact.value),
                        &fact == &facts.back() ? "" : ",");
    }
    return object + "}\n";
}

} // namespace skerry
