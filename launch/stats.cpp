// SPDX-License-Identifier: BSD-3-Clause
// Makes the table of --stats, with a line for each PE. The kernel counts the times and sizes, including child processes
// that the PE waited for. The library counts the greatest use of the PE's symmetric heap.
#include "stats.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace skerry {

namespace {

double seconds(const struct timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

PeUsage usage_of(const Pe &pe, int rank, const skerry_control &control) {
    return {rank,
            pe.ended - pe.started,
            seconds(pe.usage.ru_utime),
            seconds(pe.usage.ru_stime),
            static_cast<double>(pe.usage.ru_maxrss) / 1024,
            static_cast<double>(control.heap_peak) / (1 << 20),
            pe.usage.ru_nvcsw,
            pe.usage.ru_nivcsw};
}

std::string format_row(const std::string &name, const PeUsage &row) {
    return fmt::format("{:>6} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.1f} {:>12.1f} {:>10} {:>12}\n", name, row.wall,
                       row.user, row.system, row.resident, row.heap, row.waits, row.preemptions);
}

} // namespace

std::vector<PeUsage> gather_usage(const std::vector<Pe> &pes, int first, const JobMemory &memory) {
    std::vector<PeUsage> usage;
    for (size_t i = 0; i < pes.size(); ++i) {
        if (pes[i].process == 0) continue;
        const int rank = first + static_cast<int>(i);
        usage.push_back(usage_of(pes[i], rank, memory.control(rank)));
    }
    return usage;
}

std::string stats_total(const std::vector<PeUsage> &usage, const std::string &total) {
    PeUsage all;
    for (const PeUsage &pe : usage)
        all = {0,
               std::max(all.wall, pe.wall),
               all.user + pe.user,
               all.system + pe.system,
               all.resident + pe.resident,
               all.heap + pe.heap,
               all.waits + pe.waits,
               all.preemptions + pe.preemptions};
    return format_row(total, all);
}

std::string stats_table(const std::vector<PeUsage> &usage, const std::string &total) {
    std::string table = fmt::format("{:>6} {:>10} {:>10} {:>10} {:>12} {:>12} {:>10} {:>12}\n", "PE", "wall s",
                                    "user s", "system s", "resident MB", "heap MB", "waits", "preemptions");
    for (const PeUsage &pe : usage) table += format_row(std::to_string(pe.rank), pe);
    return table + stats_total(usage, total);
}

std::string write_usage(const PeUsage &usage) {
    return fmt::format("{} {:.6f} {:.6f} {:.6f} {:.3f} {:.3f} {} {}", usage.rank, usage.wall, usage.user, usage.system,
                       usage.resident, usage.heap, usage.waits, usage.preemptions);
}

std::optional<PeUsage> read_usage(const std::string &text) {
    PeUsage usage;
    if (std::sscanf(text.c_str(), "%d %lf %lf %lf %lf %lf %ld %ld", &usage.rank, &usage.wall, &usage.user,
                    &usage.system, &usage.resident, &usage.heap, &usage.waits, &usage.preemptions) != 8)
        return std::nullopt;
    return usage;
}

} // namespace skerry
