// SPDX-License-Identifier: BSD-3-Clause
#include "node_assignment.hpp"

#include "build.hpp"
#include "clock.hpp"
#include "limits.hpp"
#include "message.hpp"
#include "placement.hpp"
#include "text_file.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace skerry {

namespace {

Start read_start(std::string_view text) {
    MessageReader reader(text);
    Start start;
    start.node = static_cast<int>(reader.number());
    start.name = reader.text();
    start.shared.others = static_cast<int>(reader.number());
    start.shared.before = static_cast<int>(reader.number());
    for (uint64_t left = reader.number(); left > 0 && reader.valid(); --left) {
        const auto first = static_cast<int>(reader.number());
        start.nodes.push_back({first, static_cast<int>(reader.number())});
    }
    start.folder = reader.text();
    start.environment = reader.texts();
    start.arguments = reader.texts();
    start.columns = static_cast<int>(reader.number());
    if (!reader.valid() || start.node < 0 || static_cast<size_t>(start.node) >= start.nodes.size())
        stop(exit_failure,
             "skerry-node cannot read a message of oshrun: all nodes must have the same version of Skerry");
    return start;
}

} // namespace

void end_daemon() {
    const pid_t parent = getppid();
    const std::string name = read_text(fmt::format("/proc/{}/comm", parent));
    if (name == "orted\n" || name == "prted\n") kill(parent, SIGKILL);
}

Start receive_start(Channel &channel, const Address &own, bool by_daemon) {
    std::array<char, 256> name{};
    gethostname(name.data(), name.size() - 1);
    const char *slurm_job = std::getenv("SLURM_JOB_ID");
    channel.send(FrameKind::hello, Message()
                                       .add(launcher_build())
                                       .add(name.data())
                                       .add(static_cast<uint64_t>(available_processors().usable))
                                       .add(identify_processors())
                                       .add(own.name)
                                       .add(own.port)
                                       .add(slurm_job != nullptr ? slurm_job : "")
                                       .text());
    std::optional<Start> start;
    const double end = now() + start_limit;
    double alive_sent = now();
    while (!start) {
        struct pollfd arrived = {channel.input(), POLLIN, 0};
        const bool flushed = channel.flush_all(message_limit);
        const int ready = poll(&arrived, 1, static_cast<int>(1e3 * alive_interval));
        channel.polled();
        const bool told = flushed && (ready <= 0 || channel.receive([&](FrameKind kind, std::string_view text) {
                              if (kind == FrameKind::start) start = read_start(text);
                              else if (start) start->next.push_back({kind, std::string(text)});
                          }));
        // * oshrun has not answered in time.
        // * The node is cut off. A daemon of mpirun is cut off too.
        // * oshrun needs no PEs on this node, or has ended. Nobody reads a message then, so this process writes none. The
        //   exit code is 0, so that srun does not print a message either.
        if (!start && now() > end) _exit(exit_failure);
        if (!start && channel.is_dead()) {
            if (by_daemon) end_daemon();
            _exit(exit_failure);
        }
        if (!start && !told) _exit(0);
        if (now() - alive_sent < alive_interval) continue;
        alive_sent = now();
        channel.send(FrameKind::alive);
    }
    return std::move(*start);
}

void take_environment(const std::vector<std::string> &given) {
    static constexpr std::array<std::string_view, 12> own = {
        "HOSTNAME", "HOST", "SSH_", "XDG_", "DBUS_", "SLURM", "PMI", "OMPI_", "PRTE_", "TMPDIR", "PWD", "SKERRY_NODE"};
    const auto is_own = [](std::string_view entry) {
        return std::ranges::any_of(own, [&](std::string_view prefix) { return entry.starts_with(prefix); });
    };
    std::vector<std::string> kept;
    for (char **entry = environ; *entry != nullptr; ++entry)
        if (is_own(*entry)) kept.emplace_back(*entry);
    clearenv();
    const auto set = [](const std::string &entry) {
        const size_t equals = entry.find('=');
        if (equals != std::string::npos) setenv(entry.substr(0, equals).c_str(), entry.c_str() + equals + 1, 1);
    };
    for (const std::string &entry : given)
        if (!is_own(entry)) set(entry);
    for (const std::string &entry : kept) set(entry);
}

} // namespace skerry
