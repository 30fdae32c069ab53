// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of the network that a machine description can set. Times are whole numbers of half cycles. A
// hop (the way from one router to the next) of the write mesh takes one and a half cycles. "Coduin 2016" is an article
// of measurements on the Parallella board (docs/bibliography.md).
#pragma once
#include <array>
#include <cstdint>

namespace skerry::sim {

enum class Port : std::uint8_t { local, north, east, south, west };
constexpr unsigned port_count = 5;

struct MeshConfiguration {
    // Time, in half cycles, from when a transaction leaves one router until it can leave the next, without contention.
    // The minimum is 2. The time that is commonly reported for Epiphany's write mesh is 1.5 cycles. No paper in
    // docs/bibliography.md measures this time. The other two meshes are assumed to need the same time.
    unsigned hop_half_cycles = 3;
    // Time, in half cycles, from when a core offers a transaction until the transaction can leave the first router. The
    // minimum is 2. No source gives this time; the default is one cycle, as if the transaction passed one register.
    unsigned injection_half_cycles = 2;
    // Time, in half cycles, between the starts of two transactions on one link. The default is one transaction a cycle.
    // A slower mesh needs a value that is fitted to measurements. For example, Coduin 2016 measured that DMA reads at
    // most 300 MB/s but writes 1000 MB/s.
    unsigned link_interval_half_cycles = 2;
    // buffer_depth is the largest number of transactions that one input of a router can hold. This includes
    // transactions that are on the way into this input. injection_depth is the same for the input from the router's own
    // core. No source gives these depths.
    //
    // A sender sees only in the next cycle that a place is free again. Therefore a link reaches its full speed only
    // from a certain depth on: 1 plus the time of a hop, rounded up to whole cycles. With hops of 1.5 cycles, 3 is the
    // smallest depth that does not slow down a single stream of transactions.
    unsigned buffer_depth = 3;
    unsigned injection_depth = 2;
};

// The kind of network that connects the nodes: a mesh of routers, or a crossbar.
enum class Topology : std::uint8_t { mesh, crossbar };

// The parameters of a crossbar (crossbar.hpp), in cycles. The defaults are derived from Tendulkar et al. (2011): a
// barrier that uses a counter takes 79, 87, 94 and 100 cycles with 1 to 4 cores. Our division of the 79 cycles:
// * 10 to initiate the message;
// * 30 for the message to the counter;
// * 30 for the message back;
// * about 10 for the program.
//
// Each further message that arrives at the counter takes about 7 cycles.
struct CrossbarConfiguration {
    unsigned one_way = 30;
    // Cycles in which a receiver accepts the transactions of only one sender. Tendulkar et al. measured single messages
    // but no blocks of stores. We assume that the stores of a block follow each other in each cycle.
    unsigned turn = 7;
    // Number of transactions (accesses in the network) that can wait at their sender. The default is a block of 32
    // bytes (8 words). No source gives this number.
    unsigned buffer_depth = 8;
};

struct NetworkConfiguration {
    static constexpr std::int8_t no_link = -1;

    Topology topology = Topology::mesh;
    CrossbarConfiguration crossbar;
    unsigned rows = 4;
    unsigned columns = 4;
    unsigned first_row = 32; // row and column of the first core in global addresses (Parallella: core 0x808)
    unsigned first_column = 8;
    // The parameters of the three meshes, in the order of the enumeration Mesh (noc/transaction.hpp).
    //
    // Mesh of read requests, from Coduin 2016:
    // * A loop in C reads 171 MB/s from another core, which is 28 cycles for a double word.
    // * The loop's own instructions take 8 of these cycles. The other parameters explain the remaining cycles except
    //   14.
    // * These 14 cycles are the injection time here (28 half cycles).
    // * Ross and Richie 2016 have a similar figure: get has about a tenth of the 2.4 GB/s of put.
    //
    // Mesh of off-chip writes, from Coduin 2016:
    // * The first 70 bytes (about nine writes of eight bytes) leave the core fast. The loop of that measurement stores
    //   twice as fast as the link transmits.
    // * Therefore about half of these writes, four or five, wait between core and link: one at the injection, one at
    //   each hop (two and a half hops on average), and one in the link.
    // * Therefore each buffer has one place here.
    std::array<MeshConfiguration, 3> meshes{
        MeshConfiguration{},
        MeshConfiguration{.injection_half_cycles = 28},
        MeshConfiguration{.buffer_depth = 1, .injection_depth = 1},
    };
    // The position of the off-chip link at each edge of the chip: a row for the east and west edges, a column for the
    // north and south edges, or no_link. The index is Port; the element for Port::local is not used. The papers in
    // docs/bibliography.md do not give the position of Epiphany-III's east link (Coduin 2016 assumes a corner "for
    // simplicity"). We assume row 2.
    std::array<std::int8_t, port_count> link_position{no_link, no_link, 2, no_link, no_link};
    // An access whose address lies beyond an edge without a link leaves the chip through this edge.
    Port default_exit = Port::east;
    // True if a read must wait at its destination until all earlier writes from the same core have arrived there
    // (chip/write_order.hpp).
    bool reads_wait_for_writes = true;
    // The history of the traffic, for heat maps. history_interval is the initial length of an interval in cycles; 0
    // means no history. history_length is the number of intervals. When all intervals are used, each pair of
    // neighbouring intervals is joined. The length of an interval then doubles.
    std::uint64_t history_interval = 0;
    unsigned history_length = 256;
};

} // namespace skerry::sim
