// SPDX-License-Identifier: BSD-3-Clause
// Everything about the network that a machine description may say. Times are in half cycles, because a hop of the write
// mesh takes one and a half: whole numbers stay exact.
#pragma once
#include <array>
#include <cstdint>

namespace skerry::sim {

enum class Port : std::uint8_t { local, north, east, south, west };
constexpr unsigned port_count = 5;

struct MeshConfiguration {
    // From leaving one router to being able to leave the next, without contention; at least 2. 1.5 cycles is what is
    // commonly reported of Epiphany's write mesh; none of the seeds measures it. The other two: taken as the same.
    unsigned hop_half_cycles = 3;
    // From being offered to being able to leave the first router; at least 2. No source: one cycle through a register.
    unsigned injection_half_cycles = 2;
    // Between the starts of two transactions on one link: one a cycle. To be fitted where a mesh is slower (S2's reads
    // by DMA are at most 300 MB/s where its writes are 1000).
    unsigned link_interval_half_cycles = 2;
    // Transactions on the way into or waiting in one input of a router, and in the one that its own core fills. No
    // source gives a number. A freed place is known upstream in the next cycle, so a link runs at full speed from
    // ceil(hop) + 1 on: 3 is the least that does not slow a lone stream.
    unsigned buffer_depth = 3;
    unsigned injection_depth = 2;
};

struct NetworkConfiguration {
    static constexpr std::int8_t no_link = -1;

    unsigned rows = 4;
    unsigned columns = 4;
    unsigned first_row = 32; // row and column of the first core in global addresses (Parallella: core 0x808)
    unsigned first_column = 8;
    // In the order of Mesh. Read requests: S2's C loop reads 171 MB/s from another core, 28 cycles a double word, of which
    // 8 are the loop's own; the rest of a round trip is put where it can be: 14 cycles of injection. (S0 says much the
    // same: get is about a tenth of put's 2.4 GB/s.) Off-chip writes: S2's first 70 bytes go out fast. While a loop
    // stores at half of S2's pace of the link that is four or five places: one at injection, one a hop over two and a
    // half hops on average, one in the link.
    std::array<MeshConfiguration, 3> meshes{
        MeshConfiguration{},
        MeshConfiguration{.injection_half_cycles = 28},
        MeshConfiguration{.buffer_depth = 1, .injection_depth = 1},
    };
    // At which row (east, west) or column (north, south) of an edge its off-chip link sits, or no_link. Indexed by
    // Port; that of local is not used. Where Epiphany-III's east link sits is not in the seeds (S2 says
    // "for simplicity" a corner); row 2 is taken here.
    std::array<std::int8_t, port_count> link_position{no_link, no_link, 2, no_link, no_link};
    // Where an address outside the mesh goes when the edge it lies behind has no link.
    Port default_exit = Port::east;
    // Whether a read waits at its place for the writes that its source has sent there before (chip/write_order.hpp).
    bool reads_wait_for_writes = true;
    // Heat maps: cycles an interval lasts at first (0: keep none), and how many intervals are kept. When they are full,
    // pairs are added up and an interval lasts twice as long.
    std::uint64_t history_interval = 0;
    unsigned history_length = 256;
};

} // namespace skerry::sim
