// SPDX-License-Identifier: BSD-3-Clause
#include "trace/message_log.hpp"

#include <algorithm>
#include <utility>

namespace skerry::sim {

void MessageLog::sent(std::uint64_t cycle, std::uint32_t from, std::uint16_t sender, std::uint32_t to,
                      std::uint64_t bytes, std::uint32_t job) {
    std::deque<std::size_t> &open = unfinished_[key(from, sender, to)];
    // When messages had to be joined, close jobs are one message too. Otherwise the log would soon be full again.
    const auto continues = [&](const Message &last) {
        if (job != 0 && last.job == job) return true;
        return cycle - last.end <= closeness_ && (has_merged_ || (job == 0 && last.job == 0));
    };
    if (open.empty() || !continues(messages_[open.back()])) {
        while (open.size() > 0 && messages_[open.front()].landed == messages_[open.front()].parts) open.pop_front();
        open.push_back(messages_.size());
        messages_.push_back({.begin = cycle, .end = cycle, .from = from, .to = to, .sender = sender, .job = job});
    }
    Message &m = messages_[open.back()];
    m.end = cycle;
    m.parts++;
    m.bytes += bytes;
    if (messages_.size() >= most_) merge();
}

void MessageLog::landed(std::uint64_t cycle, std::uint32_t from, std::uint16_t sender, std::uint32_t to) {
    std::deque<std::size_t> &open = unfinished_[key(from, sender, to)];
    while (open.size() > 1 && messages_[open.front()].landed == messages_[open.front()].parts) open.pop_front();
    if (open.empty()) return;
    Message &m = messages_[open.front()];
    if (m.landed++ == 0) m.landed_begin = cycle;
    m.landed_end = cycle;
}

void MessageLog::merge() {
    has_merged_ = true;
    while (messages_.size() > most_ / 2) {
        closeness_ *= 2;
        std::vector<Message> merged;
        std::unordered_map<std::uint64_t, std::size_t> last;
        for (const Message &m : messages_) {
            const auto [found, first] = last.try_emplace(key(m.from, m.sender, m.to), merged.size());
            if (first || m.begin - merged[found->second].end > closeness_) {
                found->second = merged.size();
                merged.push_back(m);
                continue;
            }
            Message &sum = merged[found->second];
            if (sum.landed == 0) sum.landed_begin = m.landed_begin;
            if (m.landed != 0) sum.landed_end = m.landed_end;
            sum.end = m.end;
            sum.parts += m.parts;
            sum.landed += m.landed;
            sum.bytes += m.bytes;
            sum.job = m.job;
        }
        messages_ = std::move(merged);
        if (messages_.size() <= last.size()) break; // each key has only one message: nothing is left to join
    }
    unfinished_.clear();
    std::unordered_map<std::uint64_t, std::size_t> last;
    for (std::size_t k = 0; k < messages_.size(); k++) {
        const Message &m = messages_[k];
        last[key(m.from, m.sender, m.to)] = k;
        if (m.landed < m.parts) unfinished_[key(m.from, m.sender, m.to)].push_back(k);
    }
    for (const auto &[which, k] : last) {
        std::deque<std::size_t> &open = unfinished_[which];
        if (open.empty()) open.push_back(k);
    }
}

std::vector<std::uint32_t> MessageLog::rows(bool landing) const {
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

} // namespace skerry::sim
