// SPDX-License-Identifier: BSD-3-Clause
#include "trace/json.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "trace/json_nodes.hpp"

namespace skerry::sim {
namespace {

using nlohmann::json;

constexpr std::size_t lines_shown = 200;
constexpr std::size_t longest_text = 200; // characters of a source line

std::string_view ending_name(EndKind kind) {
    switch (kind) {
    case EndKind::exited: return "exited";
    case EndKind::stopped: return "stopped";
    case EndKind::deadlock: return "deadlock";
    case EndKind::polling: return "polling";
    case EndKind::max_cycles: return "max_cycles";
    case EndKind::interrupted: return "interrupted";
    case EndKind::observer: return "debugger";
    case EndKind::nodes: return "network";
    }
    return "";
}

std::string key_of(unsigned category) {
    std::string name(category_name(category));
    std::ranges::replace(name, ' ', '_');
    return name;
}

json categories(const Categories &c, bool all) {
    json object = json::object();
    for (unsigned k = 0; k < category_count; k++) {
        if (all || c[k] != 0) object[key_of(k)] = c[k];
    }
    return object;
}

std::uint64_t sum(const Categories &c) {
    std::uint64_t cycles = 0;
    for (const std::uint64_t count : c) cycles += count;
    return cycles;
}

json meshes(const Machine &m);

json machine(const Machine &m) {
    return {{"name", m.name},
            {"rows", m.rows},
            {"columns", m.columns},
            {"first_row", m.first_row},
            {"first_column", m.first_column},
            {"local_memory_bytes", m.local_memory},
            {"megahertz", m.megahertz},
            {"meshes", meshes(m)}};
}

json functions(const Profile &profile, const std::vector<FunctionCycles> &all) {
    json list = json::array();
    for (std::uint32_t k = 0; k < all.size(); k++) {
        const FunctionCycles &f = all[k];
        const std::uint64_t cycles = sum(f.own);
        if (cycles == 0) continue;
        list.push_back({{"name", profile.functions()[k].name},
                        {"address", profile.functions()[k].begin},
                        {"cycles", cycles},
                        {"cycles_with_callees", f.with_callees},
                        {"calls", f.calls},
                        {"instructions", f.instructions},
                        {"cycles_by_cause", categories(f.own, false)}});
    }
    std::stable_sort(list.begin(), list.end(), [](const json &a, const json &b) { return a["cycles"] > b["cycles"]; });
    return list;
}

std::vector<FunctionCycles> together(const Profile &profile, std::uint32_t cores) {
    std::vector<FunctionCycles> all(profile.functions().size());
    for (std::uint32_t k = 0; k < cores; k++) {
        const auto &of = profile.of(k);
        for (std::size_t f = 0; f < of.size(); f++) {
            for (unsigned c = 0; c < category_count; c++) all[f].own[c] += of[f].own[c];
            all[f].calls += of[f].calls;
            all[f].instructions += of[f].instructions;
            all[f].with_callees += of[f].with_callees;
        }
    }
    return all;
}

json cores(const Run &run) {
    json list = json::array();
    for (std::uint32_t k = 0; k < run.chip.core_count(); k++) {
        Core &core = run.chip.core(k);
        if (core.stop.kind == StopKind::held) continue;
        const Counters &c = core.counters;
        list.push_back({{"core", k},
                        {"row", core.id() >> 6},
                        {"column", core.id() & 63},
                        {"exited", core.stop.kind == StopKind::exited},
                        {"cycles", c.cycles()},
                        {"instructions", c.instructions()},
                        {"floating_instructions", c.floating},
                        {"cycles_by_cause", categories(categories_of(c), true)},
                        {"functions", functions(run.profile, run.profile.of(k))}});
        if (const std::uint32_t program = run.profile.program_of(k); program != 0)
            list.back()["program"] = run.chip.started_programs()[program - 1].name;
    }
    return list;
}

json accesses(const Profile &profile) {
    json list = json::array();
    for (const auto &[pair, t] : profile.traffic()) {
        json to = pair.second;
        if (pair.second == Observer::external) to = "external";
        if (pair.second == everyone) to = "multicast";
        list.push_back({{"from", pair.first},
                        {"to", to},
                        {"reads", t.reads},
                        {"read_bytes", t.read_bytes},
                        {"writes", t.writes},
                        {"write_bytes", t.write_bytes},
                        {"testsets", t.testsets}});
    }
    return list;
}

constexpr std::array<std::string_view, 2> way_names = {"sent", "received"};

// Returns a DMA channel as the name of it: its number, or, of the MPPA's nodes, which way its packets go.
json channel_name(const Chip &chip, unsigned channel) {
    if (chip.nodes().node_count() != 0) return way_names[channel];
    return channel;
}

// Returns, for each DMA channel that was active, the active cycles and the copied bytes in each interval of time.
json dma_timeline(const Chip &chip, const Profile &profile) {
    json list = json::array();
    for (std::uint32_t k = 0; k < chip.core_count(); k++) {
        for (unsigned channel = 0; channel < dma_channels; channel++) {
            json active = json::array();
            json bytes = json::array();
            bool any = false;
            for (const Timeline::Count &count : profile.timeline().of(k)) {
                active.push_back(count[track_active(channel)]);
                bytes.push_back(count[track_bytes(channel)]);
                any = any || count[track_active(channel)] != 0;
            }
            if (any)
                list.push_back(
                    {{"core", k}, {"channel", channel_name(chip, channel)}, {"active", active}, {"bytes", bytes}});
        }
    }
    return list;
}

constexpr std::size_t functions_over_time_shown = 8;

// Returns the functions with the most cycles in which cores were not idle, and these cycles in each interval of time and
// cluster. The last track of a cluster is that of all other functions.
json functions_over_time(const Chip &chip, const Profile &profile) {
    const CycleTimeline &timeline = profile.functions_over_time();
    const std::uint32_t clusters = chip.machine().clusters(), count = profile.functions().size();
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sums(count);
    for (std::uint32_t f = 0; f < count; f++) {
        sums[f] = {0, f};
        for (std::uint32_t c = 0; c < clusters; c++) {
            for (const CycleTimeline::Count &n : timeline.of(profile.function_of_cluster(c, f))) sums[f].first += n[0];
        }
    }
    std::ranges::stable_sort(sums, std::greater<>(), &std::pair<std::uint64_t, std::uint32_t>::first);
    json names = json::array(), list = json::array();
    for (std::size_t k = 0; k < std::min(count + std::size_t{0}, functions_over_time_shown) && sums[k].first != 0; k++)
        names.push_back(profile.functions()[sums[k].second].name);
    for (std::uint32_t c = 0; c < clusters; c++) {
        std::vector<std::vector<std::uint64_t>> tracks(names.size() + 1, std::vector<std::uint64_t>(timeline.size()));
        bool any = false;
        for (std::size_t k = 0; k < sums.size(); k++) {
            std::vector<std::uint64_t> &track = tracks[std::min(k, names.size())];
            const auto counts = timeline.of(profile.function_of_cluster(c, sums[k].second));
            any = any || !counts.empty();
            for (std::size_t i = 0; i < counts.size(); i++) track[i] += counts[i][0];
        }
        std::uint32_t cores = 0;
        for (std::uint32_t k = 0; k < chip.core_count(); k++)
            cores += chip.machine().cluster_of(k) == c && !profile.of(k).empty() ? 1 : 0;
        if (any) list.push_back({{"cluster", c}, {"cores", cores}, {"cycles", std::move(tracks)}});
    }
    return {{"interval_cycles", timeline.interval()}, {"names", std::move(names)}, {"clusters", std::move(list)}};
}

json timeline(const Chip &chip, const Profile &profile) {
    const std::uint32_t cores = chip.core_count();
    json names = json::array();
    for (unsigned k = 0; k < category_count; k++) names.push_back(key_of(k));
    json of = json::array();
    for (std::uint32_t k = 0; k < cores; k++) {
        json intervals = json::array();
        if (!profile.of(k).empty()) {
            for (const Timeline::Count &count : profile.timeline().of(k)) {
                intervals.push_back(std::vector(count.begin(), count.begin() + category_count));
            }
        }
        of.push_back(std::move(intervals));
    }
    return {{"interval_cycles", profile.timeline().interval()},
            {"causes", names},
            {"cores", std::move(of)},
            {"functions", functions_over_time(chip, profile)},
            {"dma", dma_timeline(chip, profile)}};
}

// -- the network's counters -------------------------------------------------------------------------------------------

constexpr std::array<std::string_view, mesh_count> mesh_names = {"on_chip_writes", "read_requests", "off_chip_writes"};
constexpr std::array<std::string_view, port_count> port_names = {"core", "north", "east", "south", "west"};

// Calls what(mesh, node, port, link) for every link that carried a transaction or made a transaction wait.
template <class What> void for_each_link(const Network &network, What what) {
    for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
        for (unsigned node = 0; node < network.nodes(); node++) {
            for (unsigned port = 0; port < port_count; port++) {
                const std::size_t link = network.link(static_cast<Mesh>(mesh), node, static_cast<Port>(port));
                const LinkCounters &c = network.counters()[link];
                if (c.transactions != 0 || c.stalled != 0) what(mesh, node, port, link);
            }
        }
    }
}

json links(const Network &network) {
    json list = json::array();
    for_each_link(network, [&](unsigned mesh, unsigned node, unsigned port, std::size_t link) {
        const LinkCounters &c = network.counters()[link];
        list.push_back({{"mesh", mesh_names[mesh]},
                        {"from", node},
                        {"towards", port_names[port]},
                        {"transactions", c.transactions},
                        {"stalled_cycles", c.stalled},
                        {"contended_cycles", c.contended}});
    });
    return list;
}

json link_history(const Network &network) {
    const LinkHistory &history = network.history();
    json list = json::array();
    if (!history.enabled()) return {{"interval_cycles", 0}, {"links", list}};
    for_each_link(network, [&](unsigned mesh, unsigned node, unsigned port, std::size_t link) {
        json transactions = json::array();
        json stalled = json::array();
        for (unsigned k = 0; k < history.size(); k++) {
            transactions.push_back(history.at(k)[link].transactions);
            stalled.push_back(history.at(k)[link].stalled);
        }
        list.push_back({{"mesh", mesh_names[mesh]},
                        {"from", node},
                        {"towards", port_names[port]},
                        {"transactions", std::move(transactions)},
                        {"stalled_cycles", std::move(stalled)}});
    });
    return {{"interval_cycles", history.interval()}, {"links", std::move(list)}};
}

constexpr std::array<std::string_view, dma_stall_count> dma_stall_names = {"bank", "network", "replies", "pace",
                                                                           "other_channel"};

json dma(const Run &run) {
    json list = json::array();
    for (std::uint32_t k = 0; k < run.chip.core_count(); k++) {
        for (unsigned channel = 0; channel < dma_channels; channel++) {
            const DmaCounters c = run.chip.dma(k).counters(channel, run.chip.now());
            if (c.active == 0) continue;
            json stalls = json::object();
            for (unsigned s = 0; s < dma_stall_count; s++) stalls[std::string(dma_stall_names[s])] = c.stalls[s];
            list.push_back({{"core", k},
                            {"channel", channel},
                            {"transfers", c.transfers},
                            {"elements", c.elements},
                            {"bytes", c.bytes},
                            {"active_cycles", c.active},
                            {"stalled_cycles", std::move(stalls)}});
        }
    }
    for (std::uint32_t node = 0; node < run.chip.nodes().node_count(); node++) {
        for (const PacketWay way : {PacketWay::sent, PacketWay::received}) {
            const MppaNodes::Traffic t = run.chip.nodes().traffic(node, way);
            if (t.packets == 0) continue;
            list.push_back({{"core", run.chip.nodes().core_of(node)},
                            {"channel", way_names[static_cast<unsigned>(way)]},
                            {"transfers", t.packets},
                            {"elements", t.packets},
                            {"bytes", t.bytes},
                            {"active_cycles", t.flits},
                            {"stalled_cycles", json::object()}});
        }
    }
    return list;
}

json off_chip(const LinkStatistics &s) {
    return {{"writes", s.writes},
            {"burst_writes", s.bursts},
            {"reads", s.reads},
            {"refused_offers", s.refused},
            {"outward_busy_cycles", s.outward_busy},
            {"inward_busy_cycles", s.inward_busy}};
}

json meshes(const Machine &m) {
    json list = json::array();
    for (unsigned k = 0; k < mesh_count; k++) {
        list.push_back({{"name", mesh_names[k]},
                        {"cycles_a_transaction", m.network_part.meshes[k].link_interval_half_cycles / 2.0}});
    }
    return list;
}

// -- lines of the program's source ------------------------------------------------------------------------------------

// Reads lines of source files. Returns empty lines for a file that cannot be read: the program was possibly compiled on
// another computer.
class Sources {
  public:
    std::string text(const std::string &file, std::uint32_t line) {
        auto [found, added] = files_.try_emplace(file);
        if (added) {
            std::ifstream from(file);
            for (std::string text; std::getline(from, text) && found->second.size() < most_lines;) {
                found->second.push_back(text.substr(0, longest_text));
            }
        }
        return line >= 1 && line <= found->second.size() ? found->second[line - 1] : std::string();
    }

  private:
    static constexpr std::size_t most_lines = 1 << 20;
    std::map<std::string, std::vector<std::string>> files_;
};

json lines(const Run &run) {
    std::map<std::pair<std::string, std::uint32_t>, std::uint64_t> by_line;
    const auto take = [&](const LineTable &table, std::uint32_t program) {
        for (const auto &[address, cycles] : run.profile.addresses(program)) {
            const SourceLine line = table.find(address);
            if (line.file != nullptr) by_line[{*line.file, line.line}] += cycles;
        }
    };
    take(run.lines, 0);
    for (const StartedProgram &program : run.chip.started_programs()) take(LineTable(*program.image), program.number);
    std::vector<std::pair<std::pair<std::string, std::uint32_t>, std::uint64_t>> sorted(by_line.begin(), by_line.end());
    std::ranges::stable_sort(sorted, [](const auto &a, const auto &b) { return a.second > b.second; });
    sorted.resize(std::min(sorted.size(), lines_shown));
    Sources sources;
    json list = json::array();
    for (const auto &[place, cycles] : sorted) {
        list.push_back({{"file", place.first},
                        {"line", place.second},
                        {"cycles", cycles},
                        {"text", sources.text(place.first, place.second)}});
    }
    return list;
}

} // namespace

json to_json(const Run &run, bool over_time) {
    const std::uint32_t count = run.chip.core_count();
    json all = {{"format", json_format},
                {"program", run.program},
                {"machine", machine(run.chip.machine())},
                {"ending", ending_name(run.ending.kind)},
                {"status", run.ending.status},
                {"cycles", run.chip.now()},
                {"cores", cores(run)},
                {"functions", functions(run.profile, together(run.profile, count))},
                {"accesses", accesses(run.profile)},
                {"links", links(run.chip.network())},
                {"dma", dma(run)},
                {"off_chip", off_chip(run.chip.link().statistics())}};
    const bool has_nodes = run.chip.nodes().node_count() != 0;
    if (has_nodes) all["nodes"] = json_of_nodes(run);
    if (over_time) {
        all["timeline"] = timeline(run.chip, run.profile);
        all["link_history"] = link_history(run.chip.network());
        all["lines"] = lines(run);
        if (has_nodes) all["node_history"] = json_of_node_history(run);
    }
    return all;
}

std::string_view mesh_name(Mesh mesh) {
    return mesh_names[static_cast<unsigned>(mesh)];
}

// Formats JSON as text. Names in a program can have any bytes, so bytes that are not UTF-8 are replaced.
std::string to_text(const json &json) {
    return json.dump(-1, ' ', true, json::error_handler_t::replace);
}

} // namespace skerry::sim
