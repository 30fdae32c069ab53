// SPDX-License-Identifier: BSD-3-Clause
// A network whose every node and link writes down what arrives, for the tests of the network.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "noc/mesh.hpp"
#include "noc/network.hpp"

namespace skerry::sim {

class Random { // the same numbers everywhere
  public:
    explicit Random(unsigned seed) : engine_(seed) {
    }
    unsigned operator()() {
        return static_cast<unsigned>(engine_());
    }

  private:
    std::mt19937 engine_;
};

struct Arrival {
    std::uint64_t cycle;
    Transaction transaction;
    bool operator==(const Arrival &) const = default;
};

class Recorder : public Sink {
  public:
    bool accept(std::uint64_t cycle, const Transaction &transaction) override {
        if (busy && busy(cycle)) {
            return false;
        }
        arrivals.push_back({cycle, transaction});
        return true;
    }
    std::function<bool(std::uint64_t)> busy; // by cycle; none: never
    std::vector<Arrival> arrivals;
};

class Bench {
  public:
    explicit Bench(const NetworkConfiguration &described)
        : configuration(described), made(make_network(described, unclaimed)), network(*made), nodes(network.nodes()) {
        for (unsigned node = 0; node < network.nodes(); node++) {
            network.attach(node, nodes[node]);
        }
        for (const Port edge : {Port::north, Port::east, Port::south, Port::west}) {
            if (configuration.link_position[static_cast<unsigned>(edge)] != NetworkConfiguration::no_link) {
                network.attach_link(edge, links[static_cast<unsigned>(edge)]);
            }
        }
    }

    std::uint32_t address_of(unsigned node, std::uint32_t offset = 0) const {
        return global_address(configuration.first_row + node / configuration.columns,
                              configuration.first_column + node % configuration.columns, offset);
    }
    Transaction write_to(unsigned node, std::uint64_t data = 0) const {
        Transaction transaction;
        transaction.address = address_of(node);
        transaction.data = data;
        return transaction;
    }
    // Steps from `cycle` until nothing is under way; the cycle after the last step. `most` steps at most.
    std::uint64_t drain(std::uint64_t cycle, std::uint64_t most = 1000000) {
        for (; most != 0 && !network.idle(); most--) {
            network.step(cycle++);
        }
        return cycle;
    }
    Recorder &link(Port edge) {
        return links[static_cast<unsigned>(edge)];
    }

    NetworkConfiguration configuration;
    Recorder unclaimed;
    std::unique_ptr<Network> made;
    Network &network;
    std::vector<Recorder> nodes;
    std::array<Recorder, port_count> links;
};

inline constexpr std::uint32_t external_memory = 0x8e000000; // row 35, column 32: east of a Parallella's mesh

inline constexpr std::array<Mesh, mesh_count> all_meshes = {Mesh::on_chip_write, Mesh::read_request,
                                                            Mesh::off_chip_write};

} // namespace skerry::sim
