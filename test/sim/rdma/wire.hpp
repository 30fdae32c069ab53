// SPDX-License-Identifier: BSD-3-Clause
// Copy units with memories, connected by a wire of fixed latency, without cores and network. The wire can refuse words, and
// memories can be busy.
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "rdma/copy_unit.hpp"

namespace skerry::sim {

class CopyWire {
  public:
    static constexpr std::uint64_t latency = 30;
    static constexpr std::uint32_t memory_bytes = 1 << 16;

    struct Acknowledged {
        std::uint32_t unit;
        std::uint32_t bytes;
        std::uint64_t cycle;
    };

    // Makes `count` units, each with a memory, and one more memory without a unit.
    CopyWire(std::uint32_t count, const CopyConfiguration &configuration) : memories(count + 1) {
        for (auto &memory : memories) memory.resize(memory_bytes);
        for (std::uint32_t k = 0; k < count; k++) units_.push_back(std::make_unique<Node>(*this, configuration, k));
    }
    CopyUnit &unit(std::uint32_t k) {
        return units_[k]->unit;
    }
    static std::uint32_t global(std::uint32_t k, std::uint32_t offset) {
        return (k + 1) << 20 | offset;
    }
    bool begin(std::uint32_t k, const Copy &copy, std::uint64_t delay = 10) {
        return unit(k).begin(copy, now + delay, now);
    }
    // One cycle: units act, then words and answers arrive, in the order in which they were sent.
    void step() {
        for (auto &node : units_) {
            if (node->unit.ready_at() <= now) node->unit.run(now);
        }
        std::deque<Travelling> left;
        std::vector<bool> is_blocked(units_.size());
        for (Travelling &t : under_way_) {
            if (t.at > now) left.push_back(t);
            else if (t.is_answer && is_blocked[t.from]) left.push_back(t);
            else if (!arrive(t)) {
                is_blocked[t.from] = true;
                left.push_back(t);
            } else if (t.is_answer && !t.is_done) left.push_back(t);
        }
        under_way_ = std::move(left);
        now++;
    }
    bool idle() const {
        for (const auto &node : units_) {
            if (node->unit.busy()) return false;
        }
        return under_way_.empty();
    }
    // Steps until nothing is under way. Returns false if this takes more than `most` cycles.
    bool drain(std::uint64_t most = 1'000'000) {
        for (; !idle() && most > 0; most--) step();
        return idle();
    }

    std::uint64_t now = 100;
    std::vector<std::vector<std::uint8_t>> memories;
    std::vector<Acknowledged> acknowledged;
    std::vector<Copy> finished;
    std::function<bool()> is_busy; // if set: returns true if the wire or a memory refuses a word now
    unsigned reads = 0, most_reads = 0, words = 0;

  private:
    struct Travelling {
        std::uint64_t at;
        std::uint32_t from; // the unit
        unsigned number, size;
        std::uint32_t address;
        bool is_read, is_answer, is_done;
        std::uint64_t value;
    };
    struct Node final : CopyPort {
        Node(CopyWire &owner, const CopyConfiguration &configuration, std::uint32_t number)
            : wire(owner), index(number), unit(configuration, *this) {
        }
        bool is_own(std::uint32_t address) const override {
            return address >> 20 == index + 1;
        }
        bool read_own(std::uint32_t address, unsigned size, std::uint64_t &value, std::uint64_t) override {
            if (wire.refuses()) return false;
            value = wire.read(address, size);
            return true;
        }
        bool write_own(std::uint32_t address, unsigned size, std::uint64_t value, std::uint64_t) override {
            if (wire.refuses()) return false;
            wire.write(address, size, value);
            return true;
        }
        bool send_write(std::uint32_t address, unsigned size, std::uint64_t value, unsigned number,
                        std::uint64_t cycle) override {
            if (wire.refuses()) return false;
            wire.words++;
            wire.under_way_.push_back({cycle + latency, index, number, size, address, false, false, false, value});
            return true;
        }
        bool send_read(std::uint32_t address, unsigned size, unsigned number, std::uint64_t cycle) override {
            if (wire.refuses()) return false;
            wire.words++;
            wire.most_reads = std::max(wire.most_reads, ++wire.reads);
            wire.under_way_.push_back({cycle + latency, index, number, size, address, true, false, false, 0});
            return true;
        }
        void acknowledged(const Copy &, std::uint32_t bytes, std::uint64_t cycle) override {
            wire.acknowledged.push_back({index, bytes, cycle});
        }
        void finished(const Copy &copy) override {
            wire.finished.push_back(copy);
        }
        void changed(std::uint64_t) override {
        }
        CopyWire &wire;
        std::uint32_t index;
        CopyUnit unit;
    };

    bool refuses() {
        return is_busy && is_busy();
    }
    std::uint8_t *at(std::uint32_t address) {
        return memories[(address >> 20) - 1].data() + (address & 0xfffff);
    }
    std::uint64_t read(std::uint32_t address, unsigned size) {
        std::uint64_t value = 0;
        std::memcpy(&value, at(address), size);
        return value;
    }
    void write(std::uint32_t address, unsigned size, std::uint64_t value) {
        std::memcpy(at(address), &value, size);
    }
    // Returns false if the unit does not take an answer now.
    bool arrive(Travelling &t) {
        if (t.is_answer) {
            if (!unit(t.from).reply(t.number, t.value, now)) return false;
            reads--;
            t.is_done = true;
            return true;
        }
        if (t.is_read) {
            t.value = read(t.address, t.size);
            t.is_answer = true;
            t.at = now + latency;
            return true;
        }
        write(t.address, t.size, t.value);
        unit(t.from).landed(t.number, now);
        return true;
    }

    std::vector<std::unique_ptr<Node>> units_;
    std::deque<Travelling> under_way_;
};

inline CopyConfiguration copies_under_way(unsigned copies) {
    CopyConfiguration configuration;
    configuration.copies = copies;
    return configuration;
}

} // namespace skerry::sim
