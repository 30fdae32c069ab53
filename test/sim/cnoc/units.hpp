// SPDX-License-Identifier: BSD-3-Clause
// A control network of 4 x 4 clusters and two I/O nodes, whose nodes note what their units tell them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cnoc/control_unit.hpp"
#include "dnoc/packet_network.hpp"

namespace skerry::sim {

struct NotingPort : ControlPort {
    void notify(std::uint32_t cores, std::uint64_t now) override {
        notified.push_back(cores);
        if (on_notify) on_notify(now);
    }
    void fault(const ControlFault &fault, std::uint64_t) override {
        faults.push_back(text_of(fault));
    }
    std::vector<std::uint32_t> notified;
    std::vector<std::string> faults;
    std::function<void(std::uint64_t)> on_notify;
};

struct ControlNetwork {
    explicit ControlNetwork(const dnoc::NetworkConfiguration &c = configured()) : network(c), ports(c.nodes()) {
        for (std::uint32_t node = 0; node < c.nodes(); node++) {
            units.push_back(std::make_unique<ControlUnit>(node, 17, ports[node], network));
            network.attach(node, *units.back());
        }
    }
    static dnoc::NetworkConfiguration configured() {
        dnoc::NetworkConfiguration c;
        c.rows = c.columns = 4;
        c.io_nodes = 2;
        c.io_units = 4;
        return c;
    }
    // Accesses to the registers of node `node`, by core 0 of it.
    Access set_mailbox(unsigned node, unsigned mailbox, std::uint32_t word, std::uint64_t value, unsigned size = 4) {
        return units[node]->store_mailbox(cnoc::mailbox_bytes * mailbox + word, size, value, now);
    }
    std::uint64_t mailbox(unsigned node, unsigned mailbox, std::uint32_t word, unsigned size = 4) {
        std::uint64_t value = 0;
        units[node]->load_mailbox(cnoc::mailbox_bytes * mailbox + word, size, value, now);
        return value;
    }
    Access set_sender(unsigned node, unsigned sender, std::uint32_t word, std::uint64_t value, unsigned size = 4,
                      unsigned core = 0) {
        return units[node]->store_sender(core, cnoc::sender_bytes * sender + word, size, value, now);
    }
    void aim(unsigned node, unsigned sender, unsigned to, unsigned mailbox) {
        set_sender(node, sender, cnoc::sender_route, *network.torus().route(node, to));
        set_sender(node, sender, cnoc::sender_target, mailbox | cnoc::sender_valid);
    }
    void run() {
        while (network.next_at() != dnoc::PacketNetwork::never) network.step(now = network.next_at());
    }

    std::uint64_t now = 0;
    dnoc::PacketNetwork network;
    std::vector<NotingPort> ports;
    std::vector<std::unique_ptr<ControlUnit>> units;
};

} // namespace skerry::sim
