// SPDX-License-Identifier: BSD-3-Clause
// Random traffic on random meshes and crossbars with receivers that stall at random, against a ledger of what was taken from whom:
// every transaction arrives once, unchanged, where it should, and in the order of its path. Then traffic chosen to get
// stuck.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "recorder.hpp"
#include "rounds.hpp"

namespace skerry::sim {
namespace {

constexpr unsigned outside = 10000; // a link as source or receiver; plus its edge
constexpr unsigned nobody = 20000;  // unclaimed, as receiver

NetworkConfiguration random_configuration(Random &random) {
    NetworkConfiguration c;
    c.rows = 1 + random() % 6;
    c.columns = 1 + random() % 12;
    c.first_row = 1 + random() % 40;
    c.first_column = 1 + random() % 40;
    for (MeshConfiguration &mesh : c.meshes) {
        mesh.hop_half_cycles = 2 + random() % 4;
        mesh.injection_half_cycles = 2 + random() % 3;
        mesh.link_interval_half_cycles = random() % 3 == 0 ? 2 + random() % 7 : 2;
        mesh.buffer_depth = 1 + random() % 5;
        mesh.injection_depth = 1 + random() % 3;
    }
    const auto position = [&](unsigned side) {
        return static_cast<std::int8_t>(random() % 2 ? static_cast<int>(random() % side)
                                                     : NetworkConfiguration::no_link);
    };
    c.link_position = {-1, position(c.columns), static_cast<std::int8_t>(random() % c.rows), position(c.columns),
                       position(c.rows)};
    c.history_interval = random() % 3 * 50;
    c.history_length = 2 + random() % 7;
    c.topology = random() % 2 ? Topology::crossbar : Topology::mesh;
    c.crossbar = {.one_way = 2 + random() % 40, .turn = 1 + random() % 9, .buffer_depth = 1 + random() % 9};
    return c;
}

class Ledger {
  public:
    Ledger(unsigned seed, const NetworkConfiguration &configuration)
        : random_(seed), bench_(configuration),
          absent_(random_() % 4 == 0 ? random_() % bench_.network.nodes() : nobody) {
        if (absent_ != nobody) {
            bench_.network.attach(absent_, bench_.unclaimed);
        }
        const auto stall = [this](std::uint64_t) { return random_() % 100 < stall_percent_; };
        for (Recorder &node : bench_.nodes) {
            node.busy = stall;
        }
        for (Recorder &link : bench_.links) {
            link.busy = stall;
        }
        bench_.unclaimed.busy = stall;
    }

    void run() {
        for (unsigned phase = 0; phase < 8; phase++) {
            stall_percent_ = random_() % 2 ? random_() % 95 : 0;
            const unsigned load = 1 + random_() % 100;
            for (const std::uint64_t end = cycle_ + random_() % 300; cycle_ < end; cycle_++) {
                offer_some(load);
                bench_.network.step(cycle_);
            }
            if (random_() % 2) {
                cycle_ = bench_.drain(cycle_) + random_() % 100;
            }
        }
        bench_.drain(cycle_);
        ASSERT_TRUE(bench_.network.idle());
        check();
    }

    std::vector<std::vector<Arrival>> arrivals() const {
        std::vector<std::vector<Arrival>> result;
        for (const Recorder &node : bench_.nodes) {
            result.push_back(node.arrivals);
        }
        for (const Recorder &link : bench_.links) {
            result.push_back(link.arrivals);
        }
        result.push_back(bench_.unclaimed.arrivals);
        return result;
    }
    std::uint64_t taken() const {
        return taken_;
    }

  private:
    void offer_some(unsigned load) {
        const unsigned nodes = bench_.network.nodes();
        for (unsigned from = 0; from < nodes; from++) {
            for (const Mesh mesh : all_meshes) {
                if (random_() % 100 < load) {
                    offer(from, Port::local, mesh);
                }
            }
        }
        for (const Port edge : {Port::north, Port::east, Port::south, Port::west}) {
            const bool has_link = bench_.configuration.link_position[static_cast<unsigned>(edge)] >= 0;
            if (has_link && random_() % 100 < load) {
                offer(0, edge, all_meshes[random_() % mesh_count]);
            }
        }
    }

    void offer(unsigned from, Port port, Mesh mesh) {
        Transaction sent;
        const unsigned to = random_() % 5 == 0 ? nobody : random_() % bench_.network.nodes();
        sent.address = to == nobody ? random_() : bench_.address_of(to, random_() % 1024);
        sent.data = static_cast<std::uint64_t>(taken_) << 8 | static_cast<std::uint64_t>(mesh);
        sent.source = static_cast<std::uint16_t>(port == Port::local ? from : outside + static_cast<unsigned>(port));
        sent.kind = static_cast<Transaction::Kind>(random_() % 4);
        sent.size = static_cast<std::uint8_t>(1U << random_() % 4);
        sent.tag = static_cast<std::uint16_t>(random_());
        sent.return_address = random_();
        const bool room = bench_.network.has_room(cycle_, from, mesh);
        const bool took = port == Port::local ? bench_.network.offer(cycle_, from, mesh, sent)
                                              : bench_.network.offer_from_link(cycle_, port, mesh, sent);
        if (port == Port::local) {
            ASSERT_EQ(room, took);
        }
        if (!took) {
            return;
        }
        taken_++;
        paths_[{sent.source, mesh, receiver(sent.address)}].push_back(sent);
    }

    unsigned receiver(std::uint32_t address) const {
        const NetworkConfiguration &c = bench_.configuration;
        const int row = static_cast<int>(address >> 26) - static_cast<int>(c.first_row);
        const int column = static_cast<int>(address >> 20 & 63) - static_cast<int>(c.first_column);
        const bool inside_row = row >= 0 && row < static_cast<int>(c.rows);
        const bool inside_column = column >= 0 && column < static_cast<int>(c.columns);
        if (inside_row && inside_column) {
            const unsigned node = static_cast<unsigned>(row) * c.columns + static_cast<unsigned>(column);
            return node == absent_ ? nobody : node;
        }
        Port edge = column < 0 ? Port::west : Port::east;
        if (inside_column) {
            edge = row < 0 ? Port::north : Port::south;
        }
        if (c.link_position[static_cast<unsigned>(edge)] < 0) {
            edge = Port::east;
        }
        return outside + static_cast<unsigned>(edge);
    }

    void check() {
        std::uint64_t arrived = 0;
        for (unsigned node = 0; node < bench_.network.nodes(); node++) {
            arrived += strike(node, bench_.nodes[node]);
        }
        for (unsigned edge = 0; edge < port_count; edge++) {
            arrived += strike(outside + edge, bench_.links[edge]);
        }
        arrived += strike(nobody, bench_.unclaimed);
        EXPECT_EQ(arrived, taken_);
        std::uint64_t local = 0;
        for (unsigned node = 0; node < bench_.network.nodes(); node++) {
            for (const Mesh mesh : all_meshes) {
                local += bench_.network.counters()[bench_.network.link(mesh, node, Port::local)].transactions;
            }
        }
        EXPECT_LE(local, taken_);
    }

    std::uint64_t strike(unsigned receiver, const Recorder &recorder) {
        for (const Arrival &arrival : recorder.arrivals) {
            const auto mesh = static_cast<Mesh>(arrival.transaction.data & 255);
            auto &path = paths_[{arrival.transaction.source, mesh, receiver}];
            if (path.empty() || !(path.front() == arrival.transaction)) {
                ADD_FAILURE() << "at " << receiver << " from " << arrival.transaction.source << " cycle "
                              << arrival.cycle;
                return 0;
            }
            path.pop_front();
        }
        return recorder.arrivals.size();
    }

    Random random_;
    Bench bench_;
    unsigned absent_;
    unsigned stall_percent_ = 0;
    std::uint64_t cycle_ = 0;
    std::uint64_t taken_ = 0;
    std::map<std::tuple<unsigned, Mesh, unsigned>, std::deque<Transaction>> paths_; // by source, mesh, receiver
};

TEST(Ledger, RandomTrafficArrivesOnceAndInOrder) {
    std::uint64_t all = 0;
    for (unsigned seed = 0; seed < rounds(120); seed++) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const auto configuration = random_configuration(random);
        Ledger ledger(seed, configuration);
        ledger.run();
        if (HasFailure()) {
            return;
        }
        all += ledger.taken();
    }
    EXPECT_GT(all, rounds(200000));
}

TEST(Ledger, TheSameAgainIsTheSame) {
    for (unsigned seed = 1000; seed < 1000 + rounds(10); seed++) {
        Random random(seed);
        auto configuration = random_configuration(random);
        Ledger first(seed, configuration);
        first.run();
        configuration.history_interval = configuration.history_interval == 0 ? 13 : 0; // looking changes nothing
        Ledger second(seed, configuration);
        second.run();
        ASSERT_EQ(first.arrivals(), second.arrivals());
    }
}

// A core that answers every read request, and takes none while its answer finds no room.
class Answering : public Sink {
  public:
    bool accept(std::uint64_t cycle, const Transaction &transaction) override {
        if (transaction.kind == Transaction::Kind::read_reply) {
            replies++;
            return true;
        }
        Transaction reply = transaction;
        reply.kind = Transaction::Kind::read_reply;
        reply.address = transaction.return_address;
        return network->offer(cycle, node, Mesh::on_chip_write, reply);
    }
    Network *network = nullptr;
    unsigned node = 0;
    unsigned replies = 0;
};

// Everybody reads from everybody, in patterns that fill every link, with buffers of one: all of it is answered.
TEST(Deadlock, RequestsAndRepliesThroughTheSmallestBuffersEnd) {
    constexpr unsigned rounds = 300;
    for (const unsigned pattern : {0U, 1U, 7U, 8U, 9U, 27U, 63U, 100U, 101U, 163U}) {
        const unsigned stride = pattern % 100;
        NetworkConfiguration configuration;
        configuration.topology = pattern < 100 ? Topology::mesh : Topology::crossbar;
        configuration.crossbar.buffer_depth = 1;
        configuration.rows = configuration.columns = 8;
        for (MeshConfiguration &mesh : configuration.meshes) {
            mesh.buffer_depth = mesh.injection_depth = 1;
        }
        Recorder unclaimed;
        const std::unique_ptr<Network> made = make_network(configuration, unclaimed);
        Network &network = *made;
        std::vector<Answering> cores(64);
        std::vector<unsigned> asked(64);
        const auto address_of = [](unsigned node) { return global_address(32 + node / 8, 8 + node % 8, 0); };
        for (unsigned node = 0; node < 64; node++) {
            cores[node].network = &network;
            cores[node].node = node;
            network.attach(node, cores[node]);
        }
        std::uint64_t cycle = 0;
        do {
            for (unsigned node = 0; node < 64; node++) {
                Transaction request;
                request.kind = Transaction::Kind::read_request;
                request.address = address_of(stride == 0 ? 63 - node : (node + stride * (asked[node] + 1)) % 64);
                request.return_address = address_of(node);
                if (asked[node] < rounds) {
                    asked[node] += network.offer(cycle, node, Mesh::read_request, request);
                }
            }
            network.step(cycle++);
            ASSERT_LT(cycle, 200000U) << pattern;
        } while (!network.idle());
        for (const Answering &core : cores) {
            ASSERT_EQ(core.replies, rounds);
        }
        EXPECT_TRUE(unclaimed.arrivals.empty());
    }
}

} // namespace
} // namespace skerry::sim
