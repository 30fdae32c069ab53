// SPDX-License-Identifier: BSD-3-Clause
// Everything about the way to external memory that a machine description may say, in cycles of the chip. The defaults
// are inputs taken from S2's measurements of a Parallella board at 600 MHz, not derived from a part of it.
#pragma once

namespace skerry::sim {

struct LinkConfiguration {
    // Between the starts of two transactions on their way out, writes and read requests alike. S2: 226 MB/s of writes
    // without burst mode are 8 bytes in 21.2 cycles.
    unsigned outward_cycles = 21;
    // The same for a write of eight bytes to where the last one of the same core ended. S2: 270 MB/s are 17.8 cycles.
    unsigned burst_cycles = 18;
    // S2: "supposed to work for the DMA transfers as well but our measurements do not show this".
    bool burst_of_dma = false;
    // Between the starts of two replies on their way in. S2: 16 DMA engines read 11 MB/s each, 27.3 cycles a reply.
    unsigned inward_cycles = 27;
    // From a read request's being out to its reply's being ready to come in. Fitted on S2: a core's reads, one after the
    // other, 8.9 MB/s.
    unsigned memory_cycles = 483;
    // Writes accepted and not yet out, the one under way included. S2's 70 bytes that go out fast stand in the mesh.
    unsigned writes_buffered = 1;
    // Read requests accepted and not yet answered. No source; enough for `inward_cycles` to be the limit.
    unsigned reads_under_way = 32;
};

// What the board's processor reaches, in MB/s: S2's "host" row. Nothing here is simulated: a report quotes it as input.
struct HostAccess {
    double external_read = 48;
    double external_write = 98;
    double core_read = 5.3;
    double core_write = 42.4;
};

} // namespace skerry::sim
