// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of the way to external memory that a machine description can set, in cycles of the chip. The
// defaults are inputs from Coduin's measurements of a whole Parallella board at 600 MHz; they are not derived from the
// parts of the board.
#pragma once

namespace skerry::sim {

struct LinkConfiguration {
    // Cycles between the starts of two transactions that leave the chip, writes and read requests alike. Coduin: 226
    // MB/s of writes without burst mode are 8 bytes in 21.2 cycles.
    unsigned outward_cycles = 21;
    // Cycles from the start of a write that continues a burst until the start of the next transaction. A write
    // continues a burst if it and the previous transaction are writes of eight bytes from the same core, and it begins
    // at the end address of the previous write. Coduin: 270 MB/s are 17.8 cycles.
    unsigned burst_cycles = 18;
    // True if writes of DMA channels form bursts too. Coduin: burst mode is "supposed to work for the DMA transfers as
    // well but our measurements do not show this".
    bool burst_of_dma = false;
    // Cycles between the starts of two replies that enter the chip. Coduin: 16 DMA engines read 11 MB/s each, which is
    // one reply in 27.3 cycles.
    unsigned inward_cycles = 27;
    // Cycles from when a read request has left the chip until its reply is ready to enter the chip. Fitted on Coduin:
    // the reads of one core, one after the other, reach 8.9 MB/s.
    unsigned memory_cycles = 483;
    // Largest number of writes that the link has accepted and not yet sent, including the one under way. The first 70
    // bytes that leave fast in Coduin are stored in the mesh, not here.
    unsigned writes_buffered = 1;
    // Largest number of read requests that the link has accepted and not yet answered. No source gives it; 32 is enough
    // for `inward_cycles` to be the limit.
    unsigned reads_under_way = 32;
};

// The speeds of the board's own processor, in MB/s: Coduin's row "host". The simulator does not use them; a report
// prints them as inputs.
struct HostAccess {
    double external_read = 48;
    double external_write = 98;
    double core_read = 5.3;
    double core_write = 42.4;
};

} // namespace skerry::sim
