// SPDX-License-Identifier: BSD-3-Clause
#include "gdb/processes.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "gdb/packet.hpp"
#include "gdb/stops.hpp"

namespace skerry::sim::gdb {
namespace {

// Reads the number of a thread or process. Sets `number` to nothing if the text means any.
bool read_number(std::string_view text, std::optional<std::uint32_t> &number) {
    number.reset();
    if (text == "-1" || text == "0") return true;
    number = hex_number(text);
    return number.has_value();
}

} // namespace

Processes::Processes(Chip &chip, const std::string &first) : chip_(chip) {
    std::error_code error;
    const std::string path = std::filesystem::absolute(first, error).lexically_normal().string();
    processes_ = are_several() ? groups_of_pes(chip) : std::vector<std::uint32_t>(chip.core_count(), 1);
    paths_.assign(processes_.empty() ? 0 : *std::ranges::max_element(processes_) + 1, path);
}

std::string Processes::path(std::uint32_t process) const {
    return process < paths_.size() ? paths_[process] : std::string();
}

std::string Processes::name(std::uint32_t index) const {
    return used_ ? fmt::format("p{:x}.{:x}", of_core(index), index + 1) : fmt::format("{:x}", index + 1);
}

std::string Processes::place(std::uint32_t index) const {
    const Machine &machine = chip_.machine();
    const std::uint32_t id = machine.core_id(index);
    if (!used_) return fmt::format("core ({},{})", id >> 6, id & 63);
    return fmt::format("PE {} core {}", of_core(index) - 1,
                       index - machine.cores_of_cluster(machine.cluster_of(index)).front());
}

std::string Processes::suffix(std::uint32_t process) const {
    return used_ ? fmt::format(";process:{:x}", process) : std::string();
}

// Reads TID, or pPID.TID, or pPID, which means all threads of a process.
std::optional<Threads> Processes::read(std::string_view text) const {
    Threads threads;
    if (text.starts_with('p')) {
        const std::size_t point = std::min(text.find('.'), text.size());
        if (!used_ || !read_number(text.substr(1, point - 1), threads.process)) return std::nullopt;
        text = point == text.size() ? "-1" : text.substr(point + 1);
    }
    std::optional<std::uint32_t> thread;
    if (!read_number(text, thread)) return std::nullopt;
    if (!thread) return threads;
    threads.core = *thread - 1;
    if (*threads.core >= chip_.core_count()) return std::nullopt;
    const bool fits = !threads.process || *threads.process == of_core(*threads.core);
    return fits ? std::optional(threads) : std::nullopt;
}

std::optional<std::uint32_t> Processes::next_start() {
    while (!starts_.empty()) {
        const std::uint32_t core = starts_.front();
        starts_.pop_front();
        if (!has_ended(of_core(core))) return core;
    }
    return std::nullopt;
}

void Processes::program_starts(std::uint32_t index, Core &, std::uint64_t, const StartedProgram &program) {
    const std::uint32_t process = of_core(index);
    paths_[process] = program.path;
    const auto same = [&](std::uint32_t core) { return of_core(core) == process; };
    if (stops_ && std::ranges::none_of(starts_, same))
        starts_.push_back(index); // else it is another core of this program
}

} // namespace skerry::sim::gdb
