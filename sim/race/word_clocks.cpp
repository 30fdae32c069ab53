// SPDX-License-Identifier: BSD-3-Clause
#include "race/word_clocks.hpp"

#include "events/line_words.hpp"

namespace skerry::sim {

using namespace events;

namespace {

bool is_queue(LineKind kind) {
    return kind == LineKind::single_reader || kind == LineKind::multiple_reader;
}

} // namespace

// Returns true if the address can belong to the event unit of a core. The same offsets of the shared memory and of
// external memory are plain memory.
bool WordClocks::is_event_unit(std::uint32_t address) const {
    return map_->machine().events.lines != 0 && map_->index_of(address) != no_core;
}

bool WordClocks::is_line(std::uint32_t address) const {
    const std::uint32_t offset = offset_in_core(address);
    return offset >= events::lines_base && offset < events::tags_base && is_event_unit(address);
}

bool WordClocks::is_tag(std::uint32_t address) const {
    const std::uint32_t offset = offset_in_core(address);
    return offset >= events::tags_base && offset < events::tags_end && is_event_unit(address);
}

void WordClocks::store(std::uint32_t address, unsigned size, std::uint32_t value, const VectorClock &clock) {
    if (is_tag(address)) return set_tag(address, value);
    if (is_line(address)) return store_line(address, value, clock);
    for (std::uint32_t at = address & ~3U; at < address + size; at += 4) release(at, clock);
}

std::optional<Copy> WordClocks::copy_of(std::uint32_t address, std::uint32_t value) const {
    const bool is_go = is_line(address) && address % events::line_bytes / 4 == command_go;
    if (!is_go || (value >> 8 & 3) != copy_kind) return std::nullopt;
    const auto found = lines_.find(address & ~(events::line_bytes - 1));
    if (found == lines_.end() || found->second.kind != LineKind::command) return std::nullopt;
    const auto &words = found->second.words;
    const std::uint32_t core = address / core_space;
    return Copy{.destination = global_address(core, words[command_address]),
                .source = global_address(core, words[command_return]),
                .bytes = value >> copy_bytes_shift,
                .counter =
                    words[command_counter] == 0 ? 0 : core * core_space | offset_in_core(words[command_counter])};
}

bool WordClocks::acquire(std::uint32_t address, unsigned size, VectorClock &clock) const {
    bool any = false;
    for (std::uint32_t at = address & ~3U; at < address + size; at += 4) {
        const auto found = words_.find(at);
        if (found == words_.end()) continue;
        clock.join(found->second);
        any = true;
    }
    return any;
}

void WordClocks::set_tag(std::uint32_t address, std::uint32_t tag) {
    const std::uint32_t offset = offset_in_core(address);
    const std::uint32_t line = events::lines_base + (offset - events::tags_base) / 4 * events::line_bytes;
    lines_[(address & ~(core_space - 1)) | line] = {
        .kind = static_cast<LineKind>(tag & 0xff), .words = {}, .answers = {}};
}

void WordClocks::store_line(std::uint32_t address, std::uint32_t value, const VectorClock &clock) {
    Line &line = lines_[address & ~(events::line_bytes - 1)];
    const std::uint32_t word = address % events::line_bytes / 4;
    line.words[word] = value;
    if (line.kind == LineKind::plain) release(address, clock);
    else if (line.kind == LineKind::counter && word == counter_value) flow(address, 4, clock);
    else if (line.kind == LineKind::command && word == command_go) start(line, value, clock);
}

// Handles the start of a message: a write, an item for a queue, or a request to a queue.
void WordClocks::start(const Line &command, std::uint32_t go, const VectorClock &clock) {
    const std::uint32_t address = command.words[command_address];
    const auto kind = static_cast<Message::Kind>(go >> 8);
    if ((go >> 8 & 3) == copy_kind) return; // RaceDetector::start_copy handles its accesses
    if (kind != Message::Kind::dequeue) return flow(address, go & 0xff, clock);
    Line &queue = lines_[address & ~(events::line_bytes - 1)];
    const std::uint32_t answer = command.words[command_return];
    queue.answers.insert(answer);
    flow(answer, events::line_bytes, VectorClock(words_[address & ~3U]));
}

// Joins a clock into the words that a message to `address` can change, also through notifications of counters and
// through answers of queues.
void WordClocks::flow(std::uint32_t address, unsigned bytes, const VectorClock &clock) {
    std::set<std::uint32_t> visited; // addresses of counters and queues: counters can notify each other in a circle
    flow(address, bytes, clock, visited);
}

void WordClocks::flow(std::uint32_t address, unsigned bytes, const VectorClock &clock,
                      std::set<std::uint32_t> &visited) {
    const auto found = is_line(address) ? lines_.find(address & ~(events::line_bytes - 1)) : lines_.end();
    if (found == lines_.end() || found->second.kind == LineKind::plain) {
        for (std::uint32_t at = address & ~3U; at < address + bytes; at += 4) release(at, clock);
        return;
    }
    if (!visited.insert(address).second) return;
    const Line &line = found->second;
    release(address, clock);
    const VectorClock all = words_[address & ~3U];
    if (line.kind == LineKind::counter) {
        for (std::uint32_t k = counter_notify; k < counter_set; k++) {
            if (line.words[k] != 0) flow(line.words[k], 4, all, visited);
        }
    }
    if (is_queue(line.kind)) {
        for (const std::uint32_t answer : line.answers) flow(answer, events::line_bytes, all, visited);
    }
}

} // namespace skerry::sim
