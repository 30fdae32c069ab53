// SPDX-License-Identifier: BSD-3-Clause
#include "events/event_unit.hpp"

#include <algorithm>
#include <utility>

#include "events/line_words.hpp"

namespace skerry::sim {

using namespace events;

namespace {

constexpr std::uint32_t kind_mask = 0xff;
constexpr unsigned capacity_shift = 8;
constexpr std::uint32_t capacity_mask = 0xfff;

constexpr std::uint32_t line_offset(std::uint32_t index) {
    return events::lines_base + index * events::line_bytes;
}

bool is_queue(LineKind kind) {
    return kind == LineKind::single_reader || kind == LineKind::multiple_reader;
}

} // namespace

EventUnit::EventUnit(const EventConfiguration &configuration, EventPort &port)
    : configuration_(configuration), port_(port), lines_(configuration.lines),
      slots_(configuration.commands + configuration.responses), due_(configuration.lines) {
}

// -- loads and stores -------------------------------------------------------------------------------------------------

bool EventUnit::has(std::uint32_t offset, unsigned size) const {
    if (size < 4 || offset % size != 0) return false;
    if (offset >= events::tags_base) return size == 4 && offset - events::tags_base < 4 * lines_.size();
    return offset >= events::lines_base && offset - events::lines_base < events::line_bytes * lines_.size();
}

std::uint64_t EventUnit::load(std::uint32_t offset, unsigned size) const {
    if (offset >= events::tags_base) {
        const Line &line = lines_[(offset - events::tags_base) / 4];
        return static_cast<std::uint32_t>(line.kind) | capacity(line) << capacity_shift;
    }
    const Line &line = lines_[(offset - events::lines_base) / events::line_bytes];
    const std::uint32_t word = offset % events::line_bytes / 4;
    return line.words[word] | (size == 8 ? std::uint64_t{line.words[word + 1]} << 32 : 0);
}

Access EventUnit::store(std::uint32_t offset, unsigned size, std::uint64_t value, bool own, std::uint64_t now) {
    const auto low = static_cast<std::uint32_t>(value);
    if (offset >= events::tags_base) return set_tag((offset - events::tags_base) / 4, low);
    const std::uint32_t index = (offset - events::lines_base) / events::line_bytes;
    const std::uint32_t word = offset % events::line_bytes / 4;
    if (size == 4) return store_word(index, word, low, own, now);
    Line &line = lines_[index];
    if (line.kind != LineKind::plain) return Access::fault;
    line.words[word] = low;
    line.words[word + 1] = static_cast<std::uint32_t>(value >> 32);
    return Access::done;
}

std::uint32_t EventUnit::capacity(const Line &queue) const {
    return is_queue(queue.kind) ? queue.words[queue_capacity] : 0;
}

// Changes a line (32 bytes of the event unit's memory) to another kind, and sets all its words to 0. Two kinds also use
// the lines that follow: a command uses one line, and a queue uses one line for each of its items. Returns
// Access::fault in these cases:
// * The tag does not name a kind, or names the kind `item`.
// * The line is an item of a queue.
// * The line is a command, and some of its messages were not taken yet.
// * The new kind is a queue of 0 items.
// * The new kind needs more lines than follow this line.
// * The new kind needs a following line that is in use: the line has another kind than `plain`. Items of the queue that
//   this line has been until now are free.
Access EventUnit::set_tag(std::uint32_t index, std::uint32_t tag) {
    const std::uint32_t kind = tag & kind_mask, items = tag >> capacity_shift & capacity_mask;
    if (kind >= static_cast<std::uint32_t>(LineKind::item)) return Access::fault;
    const auto wanted = static_cast<LineKind>(kind);
    const std::uint32_t behind = is_queue(wanted) ? items : wanted == LineKind::command ? 1 : 0;
    Line &line = lines_[index];
    const bool in_use = line.kind == LineKind::command && line.words[command_outstanding] != 0;
    if (line.kind == LineKind::item || in_use) return Access::fault;
    if (behind >= lines_.size() - index || (is_queue(wanted) && items == 0)) return Access::fault;
    const std::uint32_t before = capacity(line);
    const auto is_free = [&](std::uint32_t k) { return lines_[index + k].kind == LineKind::plain || k <= before; };
    for (std::uint32_t k = 1; k <= behind; k++) {
        if (!is_free(k)) return Access::fault;
    }
    for (std::uint32_t k = 1; k <= before; k++) lines_[index + k].kind = LineKind::plain;
    line.kind = wanted;
    line.words = {};
    line.notify_count = {};
    if (!is_queue(wanted)) return Access::done;
    for (std::uint32_t k = 1; k <= items; k++) lines_[index + k].kind = LineKind::item;
    line.words[queue_capacity] = items;
    line.words[queue_first] = line_offset(index + 1);
    return Access::done;
}

Access EventUnit::store_word(std::uint32_t index, std::uint32_t word, std::uint32_t value, bool own,
                             std::uint64_t now) {
    Line &line = lines_[index];
    switch (line.kind) {
    case LineKind::plain: line.words[word] = value; return Access::done;
    case LineKind::counter:
        if (word == counter_value) add(index, value, now);
        else line.words[word == counter_set ? counter_value : word] = value;
        return Access::done;
    case LineKind::command:
        if (!own || (word > command_go && word != command_counter)) return Access::fault;
        if (word == command_go) return start(index, value, now);
        line.words[word] = value;
        return Access::done;
    case LineKind::single_reader:
        if (!own || word != queue_count || line.words[queue_count] == 0) return Access::fault;
        pop(index);
        line.words[queue_count]--;
        return Access::done;
    case LineKind::multiple_reader:
    case LineKind::item: break;
    }
    return Access::fault;
}

// -- counters ---------------------------------------------------------------------------------------------------------

// Adds `value` to a counter. When a counter becomes zero, its notifications become due. The counter gets its next value
// at once, so that it counts further stores.
void EventUnit::add(std::uint32_t index, std::uint32_t value, std::uint64_t now) {
    Line &line = lines_[index];
    line.words[counter_value] += value;
    if (line.words[counter_value] != 0) return;
    line.words[counter_value] = line.words[counter_next];
    bool any = false;
    for (unsigned k = 0; k < notifications; k++) {
        if (line.words[counter_notify + k] == 0) continue;
        line.notify_count[k]++;
        any = true;
    }
    if (!any) return;
    if (!std::exchange(line.is_due, true)) due_[(due_first_ + due_count_++) % due_.size()] = index;
    ready_at_ = std::min(ready_at_, now + 1);
    port_.changed(now);
}

// Fills free slots (buffers for messages) with the due notifications of a counter. Returns true if there were enough
// slots for all of them.
bool EventUnit::notify(std::uint32_t index, std::uint64_t now) {
    Line &line = lines_[index];
    for (unsigned k = 0; k < notifications; k++) {
        for (; line.notify_count[k] != 0; line.notify_count[k]--) {
            Slot *slot = free_slot(false);
            if (slot == nullptr) return false;
            Message message;
            message.address = line.words[counter_notify + k];
            message.words[0] = line.words[counter_word];
            fill(*slot, message, now);
        }
    }
    return true;
}

// -- queues: the lines behind a queue's line have either items or waiting requests ------------------------------------

EventUnit::Line &EventUnit::item_line(std::uint32_t queue, std::uint32_t position) {
    const Words &words = lines_[queue].words;
    return lines_[queue + 1 + (words[queue_position] + position) % words[queue_capacity]];
}

void EventUnit::push(std::uint32_t queue, const Message &message) {
    const Words &words = lines_[queue].words;
    Line &item = item_line(queue, words[queue_count] + words[queue_waiting]);
    if (message.kind == Message::Kind::dequeue) item.words[0] = message.return_address;
    else item.words = message.words;
    item.item_bytes = message.bytes;
}

void EventUnit::pop(std::uint32_t queue) {
    Words &words = lines_[queue].words;
    words[queue_position] = (words[queue_position] + 1) % words[queue_capacity];
    words[queue_first] = line_offset(queue + 1 + words[queue_position]);
}

Delivery EventUnit::enqueue(std::uint32_t queue, const Message &message, std::uint64_t now) {
    Words &words = lines_[queue].words;
    if (words[queue_waiting] != 0) { // the first request gets this item
        Slot *slot = free_slot(false);
        if (slot == nullptr) return Delivery::refused;
        Message answer = message;
        answer.kind = Message::Kind::write;
        answer.address = item_line(queue, 0).words[0];
        fill(*slot, answer, now + 1);
        pop(queue);
        words[queue_waiting]--;
        port_.changed(now);
        return Delivery::taken;
    }
    if (words[queue_count] == words[queue_capacity]) return Delivery::refused;
    push(queue, message);
    words[queue_count]++;
    return Delivery::taken;
}

Delivery EventUnit::dequeue(std::uint32_t queue, const Message &message, std::uint64_t now) {
    Words &words = lines_[queue].words;
    if (words[queue_count] == 0) {
        if (words[queue_waiting] == words[queue_capacity]) return Delivery::refused;
        push(queue, message);
        words[queue_waiting]++;
        return Delivery::taken;
    }
    Slot *slot = free_slot(false);
    if (slot == nullptr) return Delivery::refused;
    const Line &item = item_line(queue, 0);
    Message answer;
    answer.address = message.return_address;
    answer.words = item.words;
    answer.bytes = item.item_bytes;
    fill(*slot, answer, now + 1);
    pop(queue);
    words[queue_count]--;
    port_.changed(now);
    return Delivery::taken;
}

// -- messages ---------------------------------------------------------------------------------------------------------

Delivery EventUnit::deliver(const Message &message, std::uint64_t now) {
    const std::uint32_t offset = message.address & (core_space - 1);
    const std::uint32_t index = (offset - events::lines_base) / events::line_bytes;
    if (offset < events::lines_base || index >= lines_.size()) return Delivery::wrong;
    Line &line = lines_[index];
    const std::uint32_t word = offset % events::line_bytes / 4;
    switch (message.kind) {
    case Message::Kind::enqueue:
        return is_queue(line.kind) && word == 0 ? enqueue(index, message, now) : Delivery::wrong;
    case Message::Kind::dequeue:
        return line.kind == LineKind::multiple_reader && word == 0 ? dequeue(index, message, now) : Delivery::wrong;
    case Message::Kind::write: break;
    }
    const std::uint32_t count = message.bytes / 4U;
    if (line.kind == LineKind::counter && word == counter_value) {
        add(index, message.words[0], now);
        return Delivery::taken;
    }
    if (line.kind != LineKind::plain || word + count > events::line_words) return Delivery::wrong;
    std::copy_n(message.words.begin(), count, line.words.begin() + word);
    return Delivery::taken;
}

// Starts a command of the core. Copies the message to a slot. Therefore the core can write the next message to the
// command's lines at once.
Access EventUnit::start(std::uint32_t index, std::uint32_t go, std::uint64_t now) {
    if ((go >> 8 & 3) == copy_kind) return start_copy(index, go, now);
    const Line &line = lines_[index];
    Message message;
    message.bytes = static_cast<std::uint8_t>(go & 0xff);
    const std::uint32_t kind = go >> 8;
    if (message.bytes == 0 || message.bytes > events::line_bytes || message.bytes % 4 != 0 || kind > 2) {
        return Access::fault;
    }
    message.kind = static_cast<Message::Kind>(kind);
    message.address = line.words[command_address];
    message.return_address = line.words[command_return];
    message.words = lines_[index + 1].words;
    if (message.address % 4 != 0 || message.return_address % 4 != 0 || !port_.reachable(message)) return Access::fault;
    Slot *slot = free_slot(true);
    if (now < starter_free_at_ || slot == nullptr || takes_last_slot(message.kind)) return Access::again;
    const unsigned cycles = message.kind == Message::Kind::enqueue ? configuration_.enqueue : configuration_.initiate;
    starter_free_at_ = now + cycles;
    slot->line = index;
    lines_[index].words[command_outstanding]++;
    fill(*slot, message, now + cycles);
    port_.started(message, now);
    port_.changed(now);
    return Access::done;
}

// -- copies: another unit performs them (rdma/copy_unit.hpp) -----------------------------------------------------------

// Returns true if there is the value of a counter at this offset of the core's range of 1 MB.
bool EventUnit::is_counter(std::uint32_t offset) const {
    const std::uint32_t index = (offset - events::lines_base) / events::line_bytes;
    return offset >= events::lines_base && index < lines_.size() && offset % events::line_bytes == 0 &&
           lines_[index].kind == LineKind::counter;
}

// Starts a copy. Its counter is one of this unit: only the offset in the core's range of 1 MB is used.
Access EventUnit::start_copy(std::uint32_t index, std::uint32_t go, std::uint64_t now) {
    const Line &line = lines_[index];
    const Copy copy{.destination = line.words[command_address],
                    .source = line.words[command_return],
                    .bytes = go >> copy_bytes_shift,
                    .counter = line.words[command_counter] & (core_space - 1),
                    .command = index};
    if ((go & 0xff) != 0 || copy.bytes == 0 || (copy.destination | copy.source | copy.bytes) % 4 != 0) {
        return Access::fault;
    }
    if (copy.counter != 0 && !is_counter(copy.counter)) return Access::fault;
    if (now < starter_free_at_) return Access::again;
    const Access access = port_.copy(copy, now + configuration_.initiate, now);
    if (access != Access::done) return access;
    starter_free_at_ = now + configuration_.initiate;
    lines_[index].words[command_outstanding]++;
    return Access::done;
}

bool EventUnit::copied(const Copy &copy, std::uint32_t bytes, std::uint64_t now) {
    if (copy.counter == 0) return true;
    if (!is_counter(copy.counter)) return false;
    add((copy.counter - events::lines_base) / events::line_bytes, bytes, now);
    return true;
}

// A line with copies under way keeps its kind (set_tag), so the copy's line is still a command.
void EventUnit::copy_finished(const Copy &copy) {
    lines_[copy.command].words[command_outstanding]--;
}

EventUnit::Slot *EventUnit::free_slot(bool command) {
    const auto first = slots_.begin() + (command ? 0 : configuration_.commands);
    const auto end = command ? slots_.begin() + configuration_.commands : slots_.end();
    const auto found = std::find_if(first, end, [](const Slot &s) { return s.state == Slot::State::free; });
    return found == end ? nullptr : &*found;
}

// Returns true if a message of this kind must not take the last free slot for commands. The result is true if messages
// of the same kind have all the other slots. Without this rule, messages to full queues could fill all slots. The core
// could then not send the requests that take items out of these queues.
bool EventUnit::takes_last_slot(Message::Kind kind) const {
    if (kind == Message::Kind::write) return false;
    const auto used = std::count_if(slots_.begin(), slots_.begin() + configuration_.commands, [&](const Slot &s) {
        return s.state != Slot::State::free && s.message.kind == kind;
    });
    return static_cast<unsigned>(used) + 1 >= configuration_.commands;
}

void EventUnit::fill(Slot &slot, const Message &message, std::uint64_t send_at) {
    slot.message = message;
    slot.state = Slot::State::waiting;
    slot.send_at = send_at;
    slot.number = next_number_++;
    slots_used_++;
    ready_at_ = std::min(ready_at_, send_at);
}

void EventUnit::answered(unsigned slot, Delivery delivery, std::uint64_t now) {
    Slot &answered = slots_[slot];
    if (delivery == Delivery::refused) {
        answered.state = Slot::State::waiting;
        answered.send_at = now + configuration_.retry;
        ready_at_ = std::min(ready_at_, answered.send_at);
    } else {
        answered.state = Slot::State::free;
        slots_used_--;
        if (is_command(slot) && lines_[answered.line].kind == LineKind::command) {
            lines_[answered.line].words[command_outstanding]--;
        }
        if (due_count_ != 0) ready_at_ = std::min(ready_at_, now + 1);
    }
    port_.changed(now);
}

// Sends at most one message: the oldest of the messages that can be sent in this cycle.
void EventUnit::run(std::uint64_t now) {
    while (due_count_ != 0 && notify(due_[due_first_], now)) {
        lines_[due_[due_first_]].is_due = false;
        due_first_ = static_cast<std::uint32_t>((due_first_ + 1) % due_.size());
        due_count_--;
    }
    Slot *first = nullptr;
    for (Slot &slot : slots_) {
        if (slot.state != Slot::State::waiting || slot.send_at > now) continue;
        if (first == nullptr || slot.number < first->number) first = &slot;
    }
    if (first != nullptr && port_.send(first->message, static_cast<unsigned>(first - slots_.data()), now)) {
        first->state = Slot::State::sent;
    }
    find_ready(now);
}

// Finds the next cycle in which a waiting message can be sent. Notifications that have no slot yet do not matter here:
// answered() sets ready_at_ when a slot becomes free.
void EventUnit::find_ready(std::uint64_t now) {
    ready_at_ = never;
    for (const Slot &slot : slots_) {
        if (slot.state == Slot::State::waiting) ready_at_ = std::min(ready_at_, std::max(slot.send_at, now + 1));
    }
}

} // namespace skerry::sim
