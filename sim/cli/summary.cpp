// SPDX-License-Identifier: BSD-3-Clause
#include "cli/summary.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace skerry::sim {
namespace {

// The load of one link: between two routers, or between the chip and the external memory.
struct Crowded {
    Mesh mesh = Mesh::on_chip_write;
    std::uint32_t node = 0;
    Port output = Port::local;
    double busy = 0;    // cycles in which the link carried transactions
    double delayed = 0; // cycles in which a transaction was ready but could not cross
};

double percent(double cycles, std::uint64_t all) {
    return 100 * cycles / static_cast<double>(std::max<std::uint64_t>(all, 1));
}

std::string time_text(std::uint64_t cycles, std::uint32_t megahertz) {
    const double microseconds = static_cast<double>(cycles) / megahertz;
    if (microseconds < 1e3) return fmt::format("{:.2f} us", microseconds);
    if (microseconds < 1e6) return fmt::format("{:.2f} ms", microseconds / 1e3);
    return fmt::format("{:.2f} s", microseconds / 1e6);
}

Crowded fullest(const Chip &chip) {
    const Network &network = chip.network();
    Crowded most;
    for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
        const double interval = chip.machine().network_part.meshes[mesh].link_interval_half_cycles / 2.0;
        for (std::uint32_t node = 0; node < network.nodes(); node++) {
            for (unsigned output = 1; output < port_count; output++) {
                const Mesh of = static_cast<Mesh>(mesh);
                const Port port = static_cast<Port>(output);
                const LinkCounters &c = network.counters()[network.link(of, node, port)];
                const double busy = static_cast<double>(c.transactions) * interval;
                if (busy > most.busy) most = {of, node, port, busy, static_cast<double>(c.stalled)};
            }
        }
    }
    return most;
}

std::string place(const Chip &chip, std::uint32_t node) {
    const std::uint32_t columns = chip.machine().columns;
    const auto begin = chip.members().begin();
    const auto end = chip.members().end();
    const auto found = std::find(begin, end, node);
    const std::string where = fmt::format("row {}, column {}", node / columns, node % columns);
    return found == end ? "the core in " + where
                        : fmt::format("PE {} ({})", chip.pe_of(static_cast<std::size_t>(found - begin)), where);
}

std::string network_line(const Chip &chip) {
    constexpr std::array<std::string_view, port_count> sides = {"", "north", "east", "south", "west"};
    constexpr std::array<std::string_view, mesh_count> meshes = {"writes", "read requests", "writes off the chip"};
    const Crowded most = fullest(chip);
    if (most.busy == 0) return "network: not used\n";
    return fmt::format("network: fullest {} of {}, where {} passed in {:.1f} % of the cycles and waited in {:.1f} %\n",
                       sides[static_cast<unsigned>(most.output)], place(chip, most.node),
                       meshes[static_cast<unsigned>(most.mesh)], percent(most.busy, chip.now()),
                       percent(most.delayed, chip.now()));
}

// Returns the lines on the networks between the nodes of an MPPA. There are none about what was not used.
std::string node_lines(const Chip &chip) {
    const MppaNodes &nodes = chip.nodes();
    const dnoc::PacketNetwork &data = nodes.network(NodeNetwork::data);
    std::uint64_t packets = 0, bytes = 0, words = 0, fullest = 0;
    std::string where;
    for (std::uint32_t node = 0; node < nodes.node_count(); node++) {
        const MppaNodes::Traffic sent = nodes.traffic(node, PacketWay::sent);
        packets += sent.packets;
        bytes += sent.bytes;
        words += nodes.words(node).sent;
        for (unsigned d = 0; d < dnoc::directions; d++) {
            const auto output = static_cast<dnoc::Direction>(d);
            const std::uint64_t flits = data.counters(node, output).flits;
            if (flits <= fullest) continue;
            fullest = flits;
            const std::uint32_t to = data.torus().neighbour(node, output).value_or(node);
            where = to == node ? "into " + nodes.name_of(node)
                               : fmt::format("from {} to {}", nodes.name_of(node), nodes.name_of(to));
        }
    }
    if (packets + words == 0) return "networks: not used\n";
    std::string text = fmt::format("control network: {} words\n", words);
    if (packets != 0) {
        text = fmt::format("data network: {} packets with {} bytes; fullest link {}, {:.1f} % of the cycles\n", packets,
                           bytes, where, percent(static_cast<double>(fullest), chip.now())) +
               text;
    }
    for (std::uint32_t k = 0; k < chip.machine().data_network.io_nodes; k++) {
        const Ddr::Counters &c = nodes.ddr(k).counters;
        const std::uint64_t all = c.read + c.written + c.of_cores;
        if (all == 0) continue;
        text += fmt::format("DDR {}: {} bytes read and {} written by DMA units, {:.1f} % of the bandwidth\n", k, c.read,
                            c.written, percent(static_cast<double>(all) / nodes.ddr(k).bytes_per_cycle(), chip.now()));
    }
    return text;
}

std::string off_chip_line(const Chip &chip) {
    const LinkStatistics &link = chip.link().statistics();
    if (link.writes == 0 && link.reads == 0) return {};
    return fmt::format(
        "off the chip: {} writes and {} reads; the link was busy {:.1f} % of the time outwards, {:.1f} % inwards\n",
        link.writes, link.reads, percent(static_cast<double>(link.outward_busy), chip.now()),
        percent(static_cast<double>(link.inward_busy), chip.now()));
}

} // namespace

std::string summary(const Chip &chip) {
    const std::uint32_t megahertz = chip.machine().megahertz;
    const std::size_t pes = chip.members().empty() ? 0 : chip.pe_of(chip.members().size() - 1) + 1;
    return fmt::format("{}: {} cycles, {} at {} MHz; {} instructions of {} PE{}\n", chip.machine().name, chip.now(),
                       time_text(chip.now(), megahertz), megahertz, chip.instructions(), pes, pes == 1 ? "" : "s") +
           (chip.nodes().node_count() == 0 ? network_line(chip) : node_lines(chip)) + off_chip_line(chip);
}

} // namespace skerry::sim
