// SPDX-License-Identifier: BSD-3-Clause
// Random traffic with random sizes, rates, buffers and receivers that refuse at random. Each packet arrives once, unchanged, in
// the order of its route, and in the same cycle as in the model that moves each flit. Half of the runs have routes of the
// programs' own choice, which can deadlock: then both models stop with the same packets.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "dnoc/deadlock.hpp"
#include "dnoc/packet_network.hpp"
#include "flit_model.hpp"
#include "rounds.hpp"

namespace skerry::sim::dnoc {
namespace {

class Random { // the same numbers everywhere
  public:
    explicit Random(unsigned seed) : engine_(seed) {
    }
    unsigned operator()(unsigned below) {
        return static_cast<unsigned>(engine_()) % below;
    }

  private:
    std::mt19937 engine_;
};

struct Arrival {
    std::uint64_t cycle;
    unsigned node;
    std::uint32_t number;
    bool operator==(const Arrival &) const = default;
};

NetworkConfiguration random_configuration(Random &random) {
    NetworkConfiguration c;
    c.rows = 1 + random(4);
    c.columns = 1 + random(4);
    c.io_nodes = random(c.rows > 1 ? 3 : 2);
    c.io_units = 1 + random(c.columns);
    c.hop_cycles = 1 + random(4);
    c.buffer_flits = 2 + random(9);
    c.send_packets = 1 + random(3);
    c.receive_packets = 1 + random(3);
    return c;
}

class Traffic {
  public:
    explicit Traffic(unsigned seed)
        : random_(seed), network_(random_configuration(random_)),
          model_(network_.torus().configuration(), [this](std::uint64_t cycle, unsigned node,
                                                          const Packet &p) { return take(cycle, node, p, in_model_); }),
          own_routes_(random_(2) == 1), refuse_percent_(random_(3) == 0 ? random_(95) : 0) {
        for (unsigned node = 0; node < nodes(); node++) {
            sinks_.push_back(std::make_unique<Sink>(*this, node));
            network_.attach(node, *sinks_.back());
        }
    }

    void operator()() {
        const unsigned phases = 4;
        for (unsigned phase = 0; phase < phases; phase++) {
            const unsigned load = 1 + random_(100);
            const unsigned longest = random_(2) ? 16 : most_payload;
            for (const std::uint64_t end = cycle_ + random_(400); cycle_ < end; cycle_++) {
                for (unsigned node = 0; node < nodes(); node++) {
                    if (random_(100) < load) offer(node, longest);
                }
                step();
            }
            for (unsigned quiet = 0; quiet < 600; cycle_++) quiet = step() ? 0 : quiet + 1;
            if (!network_.idle()) break;
        }
        EXPECT_EQ(in_network_, in_model_);
        EXPECT_EQ(network_.idle(), model_.idle());
        EXPECT_EQ(network_.in_flight(), sent_.size() - in_network_.size());
        if (!network_.idle()) {
            EXPECT_TRUE(own_routes_);
            EXPECT_TRUE(network_.is_stuck());
            EXPECT_NE(describe_deadlock(network_, "network").find("waits for"), std::string::npos);
        }
        check_order();
    }
    bool is_stuck() const {
        return network_.is_stuck();
    }
    std::size_t arrived() const {
        return in_network_.size();
    }

  private:
    class Sink final : public PacketSink {
      public:
        Sink(Traffic &run, unsigned node) : run_(run), node_(node) {
        }
        bool accept(std::uint64_t cycle, const Packet &p) override {
            return run_.take(cycle, node_, p, run_.in_network_);
        }

      private:
        Traffic &run_;
        unsigned node_;
    };

    unsigned nodes() const {
        return network_.torus().configuration().nodes();
    }
    // Refuses at random, but the same in both models.
    bool take(std::uint64_t cycle, unsigned node, const Packet &p, std::vector<Arrival> &list) const {
        if ((cycle * 2654435761U ^ node * 40503U) % 101 < refuse_percent_) return false;
        std::uint32_t number = p.offset;
        const Packet &original = sent_.at(number);
        EXPECT_EQ(p.payload, original.payload);
        EXPECT_EQ(p.bytes, original.bytes);
        EXPECT_EQ(p.tag, original.tag);
        EXPECT_EQ(p.end_of_transfer, original.end_of_transfer);
        list.push_back({cycle, node, number});
        return true;
    }
    Route random_route(unsigned from) {
        if (!own_routes_) return *network_.torus().route(from, random_(nodes()));
        Route route = 0;
        for (unsigned hops = random_(most_hops + 1), k = 0; k < hops; k++) {
            const Route longer = route | (1 + random_(directions - 1)) << direction_bits * k;
            if (!network_.is_route(from, longer)) break;
            route = longer;
        }
        return route;
    }
    void offer(unsigned node, unsigned longest) {
        Packet p;
        p.route = random_route(node);
        p.offset = static_cast<std::uint32_t>(sent_.size());
        p.source = static_cast<std::uint16_t>(node);
        p.bytes = static_cast<std::uint16_t>(random_(longest + 1));
        p.tag = static_cast<std::uint8_t>(random_(256));
        p.end_of_transfer = random_(2) == 1;
        for (unsigned k = 0; k < p.bytes; k++) p.payload[k] = static_cast<std::uint8_t>(random_(256));
        const bool room = network_.has_room(cycle_, node);
        ASSERT_EQ(room, model_.has_room(cycle_, node)) << "cycle " << cycle_ << " node " << node;
        ASSERT_EQ(network_.offer(cycle_, node, p), room);
        model_.offer(cycle_, node, p);
        if (room) sent_.push_back(p);
    }
    bool step() {
        const bool acts = network_.next_at() <= cycle_;
        EXPECT_GE(network_.next_at(), cycle_);
        if (acts) network_.step(cycle_);
        return model_.step(cycle_) || network_.next_at() != PacketNetwork::never;
    }
    // All packets have arrived once, at the end of their routes. Those of one route are in order.
    void check_order() const {
        std::vector<bool> seen(sent_.size());
        std::map<std::pair<unsigned, Route>, std::uint32_t> last;
        for (const Arrival &a : in_network_) {
            const Packet &p = sent_[a.number];
            EXPECT_FALSE(seen[a.number]);
            seen[a.number] = true;
            EXPECT_EQ(network_.torus().destination(p.source, p.route), a.node);
            const auto [at, first] = last.try_emplace({p.source, p.route}, a.number);
            if (!first) {
                EXPECT_LT(at->second, a.number);
                at->second = a.number;
            }
        }
    }

    Random random_;
    PacketNetwork network_;
    std::vector<Arrival> in_network_;
    std::vector<Arrival> in_model_;
    FlitModel model_;
    std::vector<std::unique_ptr<Sink>> sinks_;
    std::vector<Packet> sent_;
    bool own_routes_;
    unsigned refuse_percent_;
    std::uint64_t cycle_ = 0;
};

TEST(DnocLedger, EachPacketArrivesOnceAndWhenItsFlitsDo) {
    std::size_t arrived = 0;
    unsigned stuck = 0;
    for (unsigned seed = 0; seed < rounds(60); seed++) {
        SCOPED_TRACE(seed);
        Traffic run(seed);
        run();
        arrived += run.arrived();
        stuck += run.is_stuck();
        if (testing::Test::HasFailure()) return;
    }
    EXPECT_GT(arrived, rounds(6'000));
    EXPECT_GT(stuck, rounds(6));
}

} // namespace
} // namespace skerry::sim::dnoc
