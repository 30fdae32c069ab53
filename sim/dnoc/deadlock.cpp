// SPDX-License-Identifier: BSD-3-Clause
#include "dnoc/deadlock.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace skerry::sim::dnoc {
namespace {

using Wait = PacketNetwork::Wait;
using Held = PacketNetwork::Held;

bool is_receiver(const Held &link) {
    return !link.entry && link.output == Direction::local;
}

// Returns the packets of a circle in which each waits for the next one, or nothing. Each waiting packet has one blocker. So
// the way along the blockers ends in a circle, or at a packet that moves, or at one whose receiver has no place now.
std::vector<Wait> circle_of(const std::vector<Wait> &waits) {
    std::map<unsigned, const Wait *> by_number;
    for (const Wait &w : waits) by_number[w.packet] = &w;
    std::vector<Wait> way;
    for (const Wait &first : waits) {
        way.clear();
        for (const Wait *w = &first; w != nullptr;) {
            const auto seen = std::ranges::find(way, w->packet, &Wait::packet);
            if (seen != way.end()) {
                if (w->blocker == w->packet && is_receiver(w->wanted)) break;
                way.erase(way.begin(), seen);
                return way;
            }
            way.push_back(*w);
            const auto next = by_number.find(w->blocker);
            w = next == by_number.end() ? nullptr : next->second;
        }
    }
    return {};
}

char letter(std::size_t index) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    return index < letters.size() ? letters[index] : '?';
}

std::string name_of(const Torus &torus, const Held &link) {
    if (link.entry) return fmt::format("the way out of node {}", link.node);
    if (link.output == Direction::local) return fmt::format("the way into node {}", link.node);
    return fmt::format("{} -> {}", link.node, *torus.neighbour(link.node, link.output));
}

// A drawing of the routers of the clusters. Links that packets of the circle hold are arrows with the packet's letter: to
// the east beside the router, to the west one line below, to the south and to the north under or over the router.
class Drawing {
  public:
    explicit Drawing(const Torus &torus)
        : torus_(torus), lines_(height * torus.configuration().rows + margin,
                                std::string(width * (torus.configuration().columns + 1), ' ')) {
        for (unsigned node = 0; node < torus.configuration().clusters(); node++) {
            put(node, 0, 0, fmt::format("{:>3}", node));
        }
    }
    void hold(const Held &link, char by) {
        if (link.entry || link.node >= torus_.configuration().clusters()) return;
        switch (link.output) {
        case Direction::east: put(link.node, 4, 0, fmt::format("--{}-->", by)); break;
        case Direction::west: put(link.node, -7, 1, fmt::format("<--{}--", by)); break;
        case Direction::south: put_column(link.node, 0, {'|', by, 'v'}, 1); break;
        case Direction::north: put_column(link.node, 2, {'^', by, '|'}, -3); break;
        case Direction::local:
        case Direction::io: break;
        }
    }
    std::string text() const {
        std::string all;
        for (std::string line : lines_) {
            line.erase(line.find_last_not_of(' ') + 1);
            if (!line.empty()) all += "  " + line + "\n";
        }
        return all;
    }

  private:
    static constexpr unsigned width = 11; // of a router with the link to the next one
    static constexpr unsigned height = 4;
    static constexpr unsigned margin = 4;

    void put(unsigned node, int x, int y, std::string_view text) {
        const auto [row, column] = place(node);
        const auto line = static_cast<std::size_t>(row + y);
        lines_[line].replace(static_cast<std::size_t>(column + x), text.size(), text);
    }
    void put_column(unsigned node, int x, std::array<char, 3> text, int y) {
        for (const char c : text) put(node, x, y++, std::string_view(&c, 1));
    }
    std::pair<int, int> place(unsigned node) const {
        const unsigned columns = torus_.configuration().columns;
        return {static_cast<int>(height * (node / columns) + margin - 1),
                static_cast<int>(width * (node % columns) + width - 4)};
    }

    const Torus &torus_;
    std::vector<std::string> lines_;
};

} // namespace

std::string describe_deadlock(const PacketNetwork &network, const std::string &name) {
    const Torus &torus = network.torus();
    const std::vector<Wait> circle = circle_of(network.waits());
    if (circle.empty()) return {};
    std::string text =
        fmt::format("{}: {} packets hold links and wait for each other for ever; their routes need links in "
                    "a circle\n",
                    name, circle.size());
    Drawing drawing(torus);
    for (std::size_t k = 0; k < circle.size(); k++) {
        const Wait &w = circle[k];
        std::string held;
        for (const Held &link : w.held) {
            held += fmt::format("{}{}", held.empty() ? "" : ", ", name_of(torus, link));
            drawing.hold(link, letter(k));
        }
        const auto blocker = std::ranges::find(circle, w.blocker, &Wait::packet) - circle.begin();
        text += fmt::format("  {}: from node {} to tag {} of node {}, holds {}; waits for {}, behind {}\n", letter(k),
                            w.source, w.tag, w.destination, held.empty() ? "no link" : held, name_of(torus, w.wanted),
                            letter(static_cast<std::size_t>(blocker)));
    }
    return text + drawing.text();
}

} // namespace skerry::sim::dnoc
