// SPDX-License-Identifier: BSD-3-Clause
// Makes the table of --stats, with a line for each PE. The kernel counts the times and sizes, including child processes
// that the PE waited for. The library counts the greatest use of the PE's symmetric heap.
#include "stats.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace skerry {

namespace {

double seconds(const struct timeval &time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

struct Row {
    double wall, user, system, resident, heap; // seconds and MB
    long waits, preemptions;
};

Row row_of(const Pe &pe, const skerry_control &control) {
    return {pe.ended - pe.started,
            seconds(pe.usage.ru_utime),
            seconds(pe.usage.ru_stime),
            static_cast<double>(pe.usage.ru_maxrss) / 1024,
            static_cast<double>(control.heap_peak) / (1 << 20),
            pe.usage.ru_nvcsw,
            pe.usage.ru_nivcsw};
}

std::string format_row(const std::string &name, const Row &row) {
    return fmt::format("{:>6} {:>10.3f} {:>10.3f} {:>10.3f} {:>12.1f} {:>12.1f} {:>10} {:>12}\n", name, row.wall,
                       row.user, row.system, row.resident, row.heap, row.waits, row.preemptions);
}

} // namespace

std::string stats_table(const std::vector<Pe> &pes, int first, const JobMemory &memory) {
    std::string table = fmt::format("{:>6} {:>10} {:>10} {:>10} {:>12} {:>12} {:>10} {:>12}\n", "PE", "wall s",
                                    "user s", "system s", "resident MB", "heap MB", "waits", "preemptions");
    Row all{};
    for (size_t i = 0; i < pes.size(); ++i) {
        if (pes[i].process == 0) continue;
        const int rank = first + static_cast<int>(i);
        const Row row = row_of(pes[i], memory.control(rank));
        table += format_row(std::to_string(rank), row);
        all = {std::max(all.wall, row.wall),     all.user + row.user, all.system + row.system,
               all.resident + row.resident,      all.heap + row.heap, all.waits + row.waits,
               all.preemptions + row.preemptions};
    }
    return table + format_row("job", all);
}

} // namespace skerry
