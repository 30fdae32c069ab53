// SPDX-License-Identifier: BSD-3-Clause
#include "trace/trace.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "trace/json.hpp"

namespace skerry::sim {
namespace {

constexpr std::size_t slices_in_all = 400'000;
constexpr std::size_t most_messages = 100'000;
constexpr std::size_t most_transfers = 100'000;
constexpr std::uint64_t first_closeness = 64;

// The rows in which the trace viewer shows the functions, the DMA transfers and the messages of a core.
constexpr std::uint32_t row_functions = 1;
constexpr std::uint32_t row_dma = 2; // channel 0; channel 1 has row 3
constexpr std::uint32_t row_out = 10;
constexpr std::uint32_t row_in = 200;
constexpr std::uint32_t row_words_out = 1000;
constexpr std::uint32_t row_words_in = 2000;

} // namespace

Trace::Trace(Chip &chip, Profile &profile, const NodeTraffic &traffic)
    : chip_(chip), profile_(profile), traffic_(traffic), slices_(chip.core_count()),
      most_slices_(std::max<std::size_t>(slices_in_all / chip.core_count(), 64)), shortest_(chip.core_count(), 1),
      channels_(chip.core_count()), messages_(most_messages, first_closeness) {
    profile.on_return([this](std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle) {
        returned(core, frame, cycle);
    });
}

// Adds a slice: the time from call to return of a function call that has ended. If there are too many slices, removes
// the shortest slices. The remaining slices are still nested correctly: a slice contains the slices of its callees, and
// is at least as long as each of them.
void Trace::returned(std::uint32_t core, const CallStack::Frame &frame, std::uint64_t cycle) {
    if (cycle - frame.since < shortest_[core]) return;
    std::vector<Slice> &slices = slices_[core];
    slices.push_back({frame.since, cycle, frame.function});
    while (slices.size() >= most_slices_) {
        shortest_[core] *= 2;
        std::erase_if(slices, [&](const Slice &s) { return s.end - s.begin < shortest_[core]; });
    }
}

void Trace::dma(std::uint64_t cycle, std::uint32_t index) {
    for (unsigned k = 0; k < dma_channels; k++) {
        const Dma &dma = chip_.dma(index);
        const bool active = dma.state(k) != DmaState::idle && dma.state(k) != DmaState::error;
        Channel &channel = channels_[index][k];
        if (active == channel.active) continue;
        channel.active = active;
        const std::uint64_t bytes = dma.counters(k, cycle).bytes;
        if (active) {
            channel.since = cycle;
            channel.bytes = bytes;
            continue;
        }
        if (cycle - channel.since < shortest_transfer_) continue;
        transfers_.push_back({channel.since, cycle, index, k, bytes - channel.bytes});
        while (transfers_.size() >= most_transfers) {
            shortest_transfer_ *= 2;
            std::erase_if(transfers_, [&](const Transfer &t) { return t.end - t.begin < shortest_transfer_; });
        }
    }
}

// -- messages between cores -------------------------------------------------------------------------------------------

void Trace::sent(std::uint64_t cycle, std::uint32_t to, const Transaction &t) {
    if (t.kind != Transaction::Kind::write || t.group != 0) return;
    messages_.sent(cycle, t.source, t.tag, to, t.size);
}

void Trace::landed(std::uint64_t cycle, std::uint32_t to, const Transaction &t) {
    if (t.group == 0) messages_.landed(cycle, t.source, t.tag, to);
}

// -- writing the trace file -------------------------------------------------------------------------------------------

class Trace::Writer {
  public:
    explicit Writer(const Trace &trace) : trace_(trace) {
    }
    std::string text() {
        out_ = "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"time\":\"one nanosecond is one cycle\"},\"traceEvents\":[";
        for (std::uint32_t k = 0; k < trace_.slices_.size(); k++) core(k);
        transfers();
        messages();
        nodes();
        network();
        out_ += "\n]}\n";
        return std::move(out_);
    }

  private:
    // Returns the number of the "process" that represents a core, the external memory or the network in the trace. The
    // cores have the numbers from 1 on. External memory has the next number, and the network has the number after it.
    std::uint32_t process(std::uint32_t place) const {
        return place == Observer::external ? static_cast<std::uint32_t>(trace_.slices_.size()) + 1 : place + 1;
    }
    std::string name(std::uint32_t place) const {
        if (place == Observer::external) return "external memory";
        const std::uint32_t id = trace_.chip_.machine().core_id(place);
        return fmt::format("core ({},{})", id >> 6, id & 63);
    }
    static std::string time(std::uint64_t cycle) { // in microseconds
        return fmt::format("{}.{:03}", cycle / 1000, cycle % 1000);
    }
    template <class... Values> void event(fmt::format_string<Values...> format, Values &&...values) {
        out_ += first_ ? "\n" : ",\n";
        first_ = false;
        fmt::format_to(std::back_inserter(out_), format, std::forward<Values>(values)...);
    }
    void name_process(std::uint32_t number, const std::string &what) {
        event("{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_name\",\"args\":{{\"name\":\"{1}\"}}}},\n"
              "{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{0}}}}}",
              number, what);
    }
    void name_row(std::uint32_t number, std::uint32_t row, std::string_view what) {
        event("{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_name\",\"args\":{{\"name\":\"{2}\"}}}},\n"
              "{{\"ph\":\"M\",\"pid\":{0},\"tid\":{1},\"name\":\"thread_sort_index\",\"args\":{{\"sort_index\":{1}}}}}",
              number, row, what);
    }
    void core(std::uint32_t k) {
        if (trace_.slices_[k].empty()) return;
        name_process(process(k), name(k));
        name_row(process(k), row_functions, "functions");
        const Functions &functions = trace_.profile_.functions();
        for (const Slice &s : trace_.slices_[k]) {
            event("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":{}}}", process(k), row_functions,
                  time(s.begin), time(s.end - s.begin), to_text(functions[s.function].name));
        }
        cycles(k);
    }
    // Writes a track of stacked areas that shows, in percent, the cycles in which a core issued, stalled and was idle.
    void cycles(std::uint32_t k) {
        const Timeline &timeline = trace_.profile_.timeline();
        std::uint64_t at = 0;
        for (const Timeline::Count &count : timeline.of(k)) {
            std::uint64_t all = 0;
            // The sum leaves out the tracks of the DMA channels, which follow the tracks of the categories.
            for (unsigned c = 0; c < category_count; c++) all += count[c];
            const double issue = 100.0 * (count[0] + count[1]) / static_cast<double>(timeline.interval());
            const double idle = 100.0 * count[category_idle] / static_cast<double>(timeline.interval());
            const double stall =
                100.0 * static_cast<double>(all) / static_cast<double>(timeline.interval()) - issue - idle;
            event("{{\"ph\":\"C\",\"pid\":{},\"name\":\"cycles, "
                  "%\",\"ts\":{},\"args\":{{\"issue\":{:.1f},\"stall\":{:.1f},"
                  "\"idle\":{:.1f}}}}}",
                  process(k), time(at), issue, std::max(stall, 0.0), idle);
            at += timeline.interval();
        }
    }
    void transfers() {
        for (const Transfer &t : trace_.transfers_) {
            const std::uint32_t row = row_dma + t.channel;
            if (named_[process(t.core)].insert(row).second) {
                name_row(process(t.core), row, fmt::format("DMA {}", t.channel));
            }
            event("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"transfer\",\"args\":{{"
                  "\"bytes\":{}}}}}",
                  process(t.core), row, time(t.begin), time(t.end - t.begin), t.bytes);
        }
    }
    void messages() {
        const auto out = trace_.messages_.rows(false);
        const auto in = trace_.messages_.rows(true);
        bool far = false;
        for (std::size_t k = 0; k < out.size(); k++) {
            const MessageLog::Message &m = trace_.messages_.messages()[k];
            if (m.to == Observer::external && !far) name_process(process(m.to), name(m.to));
            far = far || m.to == Observer::external;
            const std::string by = m.sender == core_tag ? "core" : m.sender >= first_copy_tag ? "copy" : "DMA";
            const std::string about = fmt::format(R"("bytes":{},"writes":{},"by":"{}")", m.bytes, m.parts, by);
            side({process(m.from), row_out + out[k], "writes out"}, m.begin, m.end, "to " + name(m.to), about);
            if (m.landed == 0) continue;
            side({process(m.to), row_in + in[k], "writes in"}, m.landed_begin, m.landed_end, "from " + name(m.from),
                 about);
            arrow(process(m.from), row_out + out[k], m.begin, process(m.to), row_in + in[k], m.landed_end);
        }
    }
    // Writes an arrow between two slices.
    void arrow(std::uint32_t from, std::uint32_t from_row, std::uint64_t begin, std::uint32_t to, std::uint32_t to_row,
               std::uint64_t end) {
        event("{{\"ph\":\"s\",\"id\":{0},\"pid\":{1},\"tid\":{2},\"ts\":{3},\"cat\":\"message\",\"name\":"
              "\"message\"}},\n"
              "{{\"ph\":\"f\",\"bp\":\"e\",\"id\":{0},\"pid\":{4},\"tid\":{5},\"ts\":{6},\"cat\":\"message\","
              "\"name\":\"message\"}}",
              ++arrows_, from, from_row, time(begin), to, to_row, time(end));
    }
    struct Row {
        std::uint32_t process;
        std::uint32_t row;
        std::string_view name;
    };
    void side(const Row &row, std::uint64_t begin, std::uint64_t end, const std::string &what,
              const std::string &arguments) {
        if (named_[row.process].insert(row.row).second) name_row(row.process, row.row, row.name);
        event("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"{}\",\"args\":{{{}}}}}",
              row.process, row.row, time(begin), time(end + 1 - begin), what, arguments);
    }

    // -- nodes of an MPPA ---------------------------------------------------------------------------------------------

    std::uint32_t node_process(std::uint32_t node) const {
        return process(Observer::external) + 2 + node;
    }
    void nodes() {
        const std::uint32_t count = trace_.chip_.nodes().node_count();
        for (std::uint32_t node = 0; node < count; node++) {
            if (!trace_.traffic_.is_used(node)) continue;
            name_process(node_process(node), fmt::format("node {} ({})", node, trace_.chip_.nodes().name_of(node)));
        }
        for (const NodeNetwork network : {NodeNetwork::data, NodeNetwork::control}) transfers_of(network);
        if (count != 0) loads();
    }
    void transfers_of(NodeNetwork network) {
        const bool words = network == NodeNetwork::control;
        const MessageLog &log = trace_.traffic_.log(network);
        const auto out = log.rows(false);
        const auto in = log.rows(true);
        const std::uint32_t first_out = words ? row_words_out : row_out, first_in = words ? row_words_in : row_in;
        for (std::size_t k = 0; k < out.size(); k++) {
            const MessageLog::Message &m = log.messages()[k];
            const std::string about = fmt::format(R"("bytes":{},"packets":{},"by":"{}","{}":{})", m.bytes, m.parts,
                                                  words ? fmt::format("sender {}", NodeTraffic::sender_of(m.sender))
                                                        : trace_.traffic_.sender_name(m.sender),
                                                  words ? "mailbox" : "tag", NodeTraffic::tag_of(m.sender));
            side({node_process(m.from), first_out + out[k], words ? "words out" : "transfers out"}, m.begin, m.end,
                 fmt::format("to node {}", m.to), about);
            if (m.landed == 0) continue;
            side({node_process(m.to), first_in + in[k], words ? "words in" : "transfers in"}, m.landed_begin,
                 m.landed_end, fmt::format("from node {}", m.from), about);
            arrow(node_process(m.from), first_out + out[k], m.begin, node_process(m.to), first_in + in[k],
                  m.landed_end);
        }
    }
    // Writes the flits that all links of a network carried, and the bytes that each DDR moved, as graphs.
    void loads() {
        const NodeTraffic &traffic = trace_.traffic_;
        const std::uint32_t number = node_process(trace_.chip_.nodes().node_count());
        name_process(number, "networks between nodes");
        const auto graph = [&](const std::string &name, const TrafficTimeline &timeline, std::uint32_t first,
                               std::uint32_t count, std::array<std::string_view, traffic_tracks> tracks) {
            for (std::uint32_t k = 0; k < timeline.size(); k++) {
                std::array<double, traffic_tracks> sums{};
                for (std::uint32_t thing = first; thing < first + count; thing++) {
                    if (timeline.of(thing).empty()) continue;
                    for (unsigned t = 0; t < traffic_tracks; t++) sums[t] += timeline.of(thing)[k][t];
                }
                const auto cycles = static_cast<double>(timeline.interval());
                event("{{\"ph\":\"C\",\"pid\":{},\"name\":\"{}\",\"ts\":{},\"args\":{{\"{}\":{:.3f},\"{}\":{:.3f}}}}}",
                      number, name, time(k * timeline.interval()), tracks[0], sums[0] / cycles, tracks[1],
                      sums[1] / cycles);
            }
        };
        const std::uint32_t links = traffic.links_of_network();
        graph("data network, a cycle", traffic.links(), 0, links, {"flits", "links held without a flit"});
        graph("control network, a cycle", traffic.links(), links, links, {"flits", "links held without a flit"});
        for (std::uint32_t k = 0; k < trace_.chip_.machine().data_network.io_nodes; k++)
            graph(fmt::format("DDR {}, a cycle", k), traffic.ddr(), k, 1, {"bytes read", "bytes written"});
    }
    void network() {
        const Network &network = trace_.chip_.network();
        const LinkHistory &history = network.history();
        if (!history.enabled()) return;
        const std::uint32_t number = process(Observer::external) + 1;
        name_process(number, "network");
        const std::size_t links = std::size_t{network.nodes()} * port_count;
        for (unsigned mesh = 0; mesh < mesh_count; mesh++) {
            const std::size_t begin = network.link(static_cast<Mesh>(mesh), 0, Port::local);
            for (unsigned k = 0; k < history.size(); k++) {
                std::uint64_t crossed = 0;
                std::uint64_t stalled = 0;
                for (const LinkHistory::Count &c : history.at(k).subspan(begin, links)) {
                    crossed += c.transactions;
                    stalled += c.stalled;
                }
                event("{{\"ph\":\"C\",\"pid\":{},\"name\":\"{}, a cycle\",\"ts\":{},\"args\":{{\"links used\":{:.2f},"
                      "\"links stalled\":{:.2f}}}}}",
                      number, mesh_name(static_cast<Mesh>(mesh)), time(k * history.interval()),
                      static_cast<double>(crossed) / static_cast<double>(history.interval()),
                      static_cast<double>(stalled) / static_cast<double>(history.interval()));
            }
        }
    }

    const Trace &trace_;
    std::string out_;
    bool first_ = true;
    std::uint64_t arrows_ = 0;
    std::unordered_map<std::uint32_t, std::set<std::uint32_t>> named_;
};

std::string Trace::text() const {
    return Writer(*this).text();
}

} // namespace skerry::sim
