// SPDX-License-Identifier: BSD-3-Clause
#include "hosts.hpp"

#include "../src/machine/linux/layout.h"
#include "message.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <unistd.h>

namespace skerry {

namespace {

// Adds a host with a number of slots (PEs that the host can run). If the host is already in the list, adds `slots` to
// the slots of that host. `where` names the option or the file in error messages.
void add_host(std::vector<Host> &hosts, std::string_view name, std::string_view slots, const std::string &where) {
    Host host{std::string(name), 0};
    if (host.name.empty() || host.name.starts_with('-'))
        stop(exit_usage,
             fmt::format("{}: '{}' is not a host's name: it must not be empty or begin with a dash", where, name));
    if (!slots.empty()) {
        const char *end = slots.data() + slots.size();
        const auto [rest, error] = std::from_chars(slots.data(), end, host.slots);
        if (error != std::errc{} || rest != end || host.slots < 1 || host.slots > SKERRY_PES_MAX)
            stop(exit_usage, fmt::format("{}: {}:{}: the number of PEs of a host must be 1 to {}", where, name, slots,
                                         SKERRY_PES_MAX));
    }
    const auto found =
        std::find_if(hosts.begin(), hosts.end(), [&](const Host &other) { return other.name == host.name; });
    if (found == hosts.end()) hosts.push_back(std::move(host));
    else if (found->slots > 0 && host.slots > 0) found->slots += host.slots;
    else
        stop(exit_usage, fmt::format("{}: host {} is named twice, once with and once without a number of PEs: give the "
                                     "number both times or never",
                                     where, name));
}

// Splits "NAME:N" into a name and a number of slots (PEs that the host can run), and adds this host. An address of IP
// version 6 stands in brackets: "[fe80::1]:4".
void add_word(std::vector<Host> &hosts, std::string_view word, const std::string &where) {
    std::string_view name = word, slots;
    if (word.starts_with('[') && word.find(']') != std::string_view::npos) {
        name = word.substr(1, word.find(']') - 1);
        slots = word.substr(word.find(']') + 1);
        if (!slots.empty() && !slots.starts_with(':'))
            stop(exit_usage, fmt::format("{}: {}: must be [ADDRESS] or [ADDRESS]:N", where, word));
    } else if (const size_t colon = word.find(':'); colon != std::string_view::npos) {
        name = word.substr(0, colon);
        slots = word.substr(colon);
    }
    if (slots == ":") stop(exit_usage, fmt::format("{}: {}: a number of PEs must follow the colon", where, word));
    add_host(hosts, name, slots.empty() ? slots : slots.substr(1), where);
}

} // namespace

std::vector<Host> parse_hosts(const std::string &text) {
    std::vector<Host> hosts;
    for (size_t begin = 0; begin <= text.size();) {
        const size_t end = std::min(text.find(',', begin), text.size());
        add_word(hosts, std::string_view(text).substr(begin, end - begin), "--hosts");
        begin = end + 1;
    }
    return hosts;
}

std::vector<Host> read_host_file(const std::string &path) {
    std::ifstream file(path);
    if (!file) stop(exit_usage, fmt::format("--hostfile {}: {}", path, std::strerror(errno)));
    std::vector<Host> hosts;
    int number = 0;
    for (std::string line; std::getline(file, line);) {
        const std::string where = fmt::format("--hostfile {}, line {}", path, ++number);
        line.resize(std::min(line.find('#'), line.size()));
        std::vector<std::string> words;
        for (size_t begin = 0; (begin = line.find_first_not_of(" \t\r", begin)) != std::string::npos;) {
            const size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
            words.push_back(line.substr(begin, end - begin));
            begin = end;
        }
        if (words.empty()) continue;
        if (words.size() == 1) add_word(hosts, words[0], where);
        else if (words.size() == 2 && words[1].starts_with("slots="))
            add_host(hosts, words[0], words[1].substr(6), where);
        else stop(exit_usage, fmt::format("{}: must be NAME, NAME:N or NAME slots=N", where));
    }
    if (hosts.empty()) stop(exit_usage, fmt::format("--hostfile {}: has no host", path));
    return hosts;
}

namespace {

// Reads a list of numbers. "4(x3),2" means 4, 4, 4, 2.
std::vector<int> read_counts(const char *text) {
    std::vector<int> counts;
    int count = 0, times = 0, used = 0;
    while (text != nullptr && std::sscanf(text, "%d%n", &count, &used) == 1) {
        text += used;
        times = 1;
        if (std::sscanf(text, "(x%d)%n", &times, &used) == 1) text += used;
        for (; times > 0 && counts.size() < SKERRY_PES_MAX; --times) counts.push_back(std::max(count, 1));
        if (*text != ',') break;
        ++text;
    }
    return counts;
}

// Slurm numbers the steps of a job. Steps that srun has started have numbers below this constant. Special steps, such
// as the step of an interactive shell, have this number or a larger number.
constexpr unsigned long first_special_step = 0xfffffff0;

} // namespace

std::vector<Host> find_allocation() {
    const char *step = std::getenv("SLURM_STEP_ID");
    // If a PE of another job has started this oshrun, the new job runs on this machine.
    if (std::getenv("SKERRY_PE") != nullptr) return {};
    if (std::getenv("SLURM_JOB_ID") == nullptr || std::getenv("SLURM_JOB_NODELIST") == nullptr ||
        (step != nullptr && std::strtoul(step, nullptr, 10) < first_special_step))
        return {};
    std::vector<Host> hosts;
    const std::vector<int> counts = read_counts(
        std::getenv(std::getenv("SLURM_NTASKS") != nullptr ? "SLURM_TASKS_PER_NODE" : "SLURM_JOB_CPUS_PER_NODE"));
    FILE *names = popen("scontrol show hostnames", "r"); // reads SLURM_JOB_NODELIST
    std::array<char, 256> line{};
    while (names != nullptr && std::fgets(line.data(), static_cast<int>(line.size()), names) != nullptr) {
        line[std::strcspn(line.data(), "\n")] = '\0';
        hosts.push_back({line.data(), hosts.size() < counts.size() ? counts[hosts.size()] : 1});
    }
    if (names == nullptr || pclose(names) != 0 || hosts.empty())
        stop(exit_failure, "this is an allocation of Slurm, but scontrol does not name its nodes; use --hosts");
    return hosts;
}

bool is_this_machine(const std::string &name) {
    std::array<char, 256> own{};
    gethostname(own.data(), own.size() - 1);
    const std::string full = own.data();
    return name == "localhost" || name == full || name == full.substr(0, full.find('.'));
}

static std::string too_few_slots(int pes, int slots, bool in_allocation) {
    if (in_allocation)
        return fmt::format("-n {}: more PEs than the Slurm allocation allows: it has {} slot{}", pes, slots,
                           slots == 1 ? "" : "s");
    return fmt::format("-n {}: more PEs than the hosts allow: the numbers after their names allow {}", pes, slots);
}

void refuse_pes(int pes, int slots, bool in_allocation) {
    stop(exit_usage, too_few_slots(pes, slots, in_allocation));
}

Distribution distribute(const std::vector<Host> &hosts, const std::vector<int> &processors, std::optional<int> pes,
                        bool in_allocation) {
    const bool any_slots = std::any_of(hosts.begin(), hosts.end(), [](const Host &host) { return host.slots > 0; });
    const int count = static_cast<int>(hosts.size());
    std::vector<int> room;
    int all = 0;
    for (size_t i = 0; i < hosts.size(); ++i) {
        room.push_back(hosts[i].slots > 0 ? hosts[i].slots : processors[i]);
        all += room.back();
    }
    const int wanted = pes.value_or(all);
    if (wanted > SKERRY_PES_MAX)
        return {{}, fmt::format("{} PEs on {} hosts: a job can have at most {} PEs", wanted, count, SKERRY_PES_MAX)};
    if (any_slots && wanted > all) return {{}, too_few_slots(wanted, all, in_allocation)};
    std::vector<NodeRange> ranges;
    for (int i = 0, first = 0; i < count; ++i) {
        const int part = !pes        ? room[static_cast<size_t>(i)]
                         : any_slots ? std::min(room[static_cast<size_t>(i)], wanted - first)
                                     : wanted / count + (i < wanted % count ? 1 : 0);
        ranges.push_back({first, part});
        first += part;
    }
    return {std::move(ranges), {}};
}

} // namespace skerry
