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

} // namespace

Trace::Trace(Chip &chip, Profile &profile)
    : chip_(chip), profile_(profile), slices_(chip.core_count()),
      most_slices_(std::max<std::size_t>(slices_in_all / chip.core_count(), 64)), shortest_(chip.core_count(), 1),
      channels_(chip.core_count()), closeness_(first_closeness) {
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
    std::deque<std::size_t> &open = unfinished_[key(t.source, t.tag, to)];
    if (open.empty() || cycle - messages_[open.back()].end > closeness_) {
        while (open.size() > 0 && messages_[open.front()].landed == messages_[open.front()].writes) open.pop_front();
        open.push_back(messages_.size());
        messages_.push_back({cycle, cycle, t.source, to, t.tag});
    }
    Message &m = messages_[open.back()];
    m.end = cycle;
    m.writes++;
    m.bytes += t.size;
    if (messages_.size() >= most_messages) merge_messages();
}

// Counts a write that has arrived as a part of the oldest message that still expects a write. (A message is a group of
// writes that the trace shows as one event.) Writes from one sender to one destination arrive in order.
void Trace::landed(std::uint64_t cycle, std::uint32_t to, const Transaction &t) {
    if (t.group != 0) return;
    std::deque<std::size_t> &open = unfinished_[key(t.source, t.tag, to)];
    while (open.size() > 1 && messages_[open.front()].landed == messages_[open.front()].writes) open.pop_front();
    if (open.empty()) return;
    Message &m = messages_[open.front()];
    if (m.landed++ == 0) m.landed_begin = cycle;
    m.landed_end = cycle;
}

void Trace::merge_messages() {
    while (messages_.size() > most_messages / 2) {
        closeness_ *= 2;
        std::vector<Message> merged;
        std::unordered_map<std::uint64_t, std::size_t> last;
        for (const Message &m : messages_) {
            const auto [found, first] = last.try_emplace(key(m.from, m.tag, m.to), merged.size());
            if (first || m.begin - merged[found->second].end > closeness_) {
                found->second = merged.size();
                merged.push_back(m);
                continue;
            }
            Message &sum = merged[found->second];
            if (sum.landed == 0) sum.landed_begin = m.landed_begin;
            if (m.landed != 0) sum.landed_end = m.landed_end;
            sum.end = m.end;
            sum.writes += m.writes;
            sum.landed += m.landed;
            sum.bytes += m.bytes;
        }
        messages_ = std::move(merged);
        if (messages_.size() <= last.size()) break; // each key has only one message: nothing is left to join
    }
    unfinished_.clear();
    std::unordered_map<std::uint64_t, std::size_t> last;
    for (std::size_t k = 0; k < messages_.size(); k++) {
        const Message &m = messages_[k];
        last[key(m.from, m.tag, m.to)] = k;
        if (m.landed < m.writes) unfinished_[key(m.from, m.tag, m.to)].push_back(k);
    }
    for (const auto &[which, k] : last) {
        std::deque<std::size_t> &open = unfinished_[which];
        if (open.empty()) open.push_back(k);
    }
}

std::vector<std::uint32_t> Trace::rows(bool landing) const {
    std::vector<std::size_t> order(messages_.size());
    for (std::size_t k = 0; k < order.size(); k++) order[k] = k;
    const auto begin = [&](std::size_t k) { return landing ? messages_[k].landed_begin : messages_[k].begin; };
    std::ranges::stable_sort(order, {}, begin);
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> free_from; // by place: cycle from which a row is free
    std::vector<std::uint32_t> row(messages_.size());
    for (const std::size_t k : order) {
        const Message &m = messages_[k];
        auto &rows = free_from[landing ? m.to : m.from];
        auto found = std::ranges::find_if(rows, [&](std::uint64_t from) { return from <= begin(k); });
        if (found == rows.end()) found = rows.insert(rows.end(), 0);
        *found = (landing ? m.landed_end : m.end) + 1;
        row[k] = static_cast<std::uint32_t>(found - rows.begin());
    }
    return row;
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
        const auto out = trace_.rows(false);
        const auto in = trace_.rows(true);
        bool far = false;
        for (std::size_t k = 0; k < trace_.messages_.size(); k++) {
            const Message &m = trace_.messages_[k];
            if (m.to == Observer::external && !far) name_process(process(m.to), name(m.to));
            far = far || m.to == Observer::external;
            side(m, process(m.from), row_out + out[k], m.begin, m.end, "to " + name(m.to), "out");
            if (m.landed == 0) continue;
            side(m, process(m.to), row_in + in[k], m.landed_begin, m.landed_end, "from " + name(m.from), "in");
            event("{{\"ph\":\"s\",\"id\":{0},\"pid\":{1},\"tid\":{2},\"ts\":{3},\"cat\":\"message\",\"name\":"
                  "\"message\"}},\n"
                  "{{\"ph\":\"f\",\"bp\":\"e\",\"id\":{0},\"pid\":{4},\"tid\":{5},\"ts\":{6},\"cat\":\"message\","
                  "\"name\":\"message\"}}",
                  k + 1, process(m.from), row_out + out[k], time(m.begin), process(m.to), row_in + in[k],
                  time(m.landed_end));
        }
    }
    void side(const Message &m, std::uint32_t number, std::uint32_t row, std::uint64_t begin, std::uint64_t end,
              const std::string &what, std::string_view direction) {
        if (named_[number].insert(row).second) name_row(number, row, fmt::format("writes {}", direction));
        const std::string by = m.tag == core_tag ? "core" : m.tag >= first_copy_tag ? "copy" : "DMA";
        event("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"name\":\"{}\",\"args\":{{\"bytes\":{},"
              "\"writes\":{},\"by\":\"{}\"}}}}",
              number, row, time(begin), time(end + 1 - begin), what, m.bytes, m.writes, by);
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
    std::unordered_map<std::uint32_t, std::set<std::uint32_t>> named_;
};

std::string Trace::text() const {
    return Writer(*this).text();
}

} // namespace skerry::sim
