// SPDX-License-Identifier: BSD-3-Clause
// How fast the network is simulated: idle, almost idle, and with every core injecting as much as is taken. In processor
// time, so that other work on the machine disturbs little.
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "noc/mesh.hpp"

using namespace skerry::sim;

namespace {

class Counter : public Sink {
  public:
    bool accept(std::uint64_t, const Transaction &transaction) override {
        received++;
        sum += transaction.data;
        return true;
    }
    std::uint64_t received = 0;
    std::uint64_t sum = 0;
};

// `every` and `to_of(node, cycle)`: each of the first `senders` nodes offers in every such cycle.
template <class ToOf>
void measure(const char *what, unsigned side, unsigned senders, unsigned every, std::uint64_t cycles, ToOf to_of) {
    NetworkConfiguration configuration;
    configuration.rows = configuration.columns = side;
    double best = 0;
    std::uint64_t hops = 0;
    std::uint64_t arrived = 0;
    for (unsigned repetition = 0; repetition < 5; repetition++) {
        Counter counter;
        MeshNetwork network(configuration, counter);
        const std::clock_t start = std::clock();
        for (std::uint64_t cycle = 0; cycle < cycles; cycle++) {
            if (cycle % every == 0) {
                for (unsigned node = 0; node < senders; node++) {
                    const unsigned to = to_of(node, cycle);
                    Transaction sent;
                    sent.address = global_address(32 + to / side, 8 + to % side, 0);
                    sent.data = cycle;
                    network.offer(cycle, node, Mesh::on_chip_write, sent);
                }
            }
            network.step(cycle);
        }
        const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
        best = std::max(best, static_cast<double>(cycles) / took);
        arrived = counter.received;
        hops = 0;
        for (const LinkCounters &link : network.counters()) {
            hops += link.transactions;
        }
    }
    const auto a_cycle = static_cast<double>(hops) / static_cast<double>(cycles);
    std::printf("%-52s %8.2f M cycles/s  %6.2f arrivals and %7.2f crossings a cycle, %5.2f ns a crossing\n", what,
                best / 1e6, static_cast<double>(arrived) / static_cast<double>(cycles), a_cycle,
                a_cycle == 0 ? 0 : 1e9 / best / a_cycle);
}

} // namespace

int main() {
    const auto scattered = [](unsigned nodes) {
        return [nodes](unsigned node, std::uint64_t cycle) {
            return static_cast<unsigned>((node * 2654435761U + cycle * 40503U) >> 7) % nodes;
        };
    };
    const auto right = [](unsigned node, std::uint64_t) { return node / 4 * 4 + (node + 1) % 4; };
    measure("4x4, idle", 4, 0, 1, 100000000, right);
    measure("4x4, one core, a write each 2 cycles", 4, 1, 2, 5000000, right);
    measure("4x4, 16 cores, a write each 2 cycles to the right", 4, 16, 2, 1000000, right);
    measure("4x4, 16 cores, a write each 2 cycles, scattered", 4, 16, 2, 1000000, scattered(16));
    measure("4x4, 16 cores, a write each cycle to the right", 4, 16, 1, 1000000, right);
    measure("4x4, 16 cores, a write each cycle, scattered", 4, 16, 1, 1000000, scattered(16));
    measure("32x32, one core, a write each 2 cycles", 32, 1, 2, 2000000, [](unsigned, std::uint64_t) { return 1U; });
    measure("32x32, one core, a write each 100 cycles, scattered", 32, 1, 100, 5000000, scattered(1024));
    measure("32x32, 1024 cores, a write each 100 cycles", 32, 1024, 100, 100000, scattered(1024));
    measure("32x32, 1024 cores, a write each cycle", 32, 1024, 1, 5000, scattered(1024));
    return 0;
}
