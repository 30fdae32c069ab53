// SPDX-License-Identifier: BSD-3-Clause
// Defines the parameters of the path to external memory, in cycles of the chip. A machine description can set them. The
// default values come from Coduin 2016 (docs/bibliography.md), an article of measurements on a Parallella board at 600
// MHz. No value is from data sheets of the board's parts.
#pragma once

namespace skerry::sim {

struct LinkConfiguration {
    // Cycles between the starts of two transactions that leave the chip, writes and read requests alike. Coduin 2016:
    // 226 MB/s of writes without burst mode, which is 8 bytes in 21.2 cycles.
    unsigned outward_cycles = 21;
    // Cycles from the start of a write that continues a burst until the start of the next transaction. A write
    // continues a burst if three conditions hold:
    // * The write has eight bytes.
    // * The previous transaction was a write of eight bytes from the same core.
    // * The write begins at the address at which the previous write ended.
    //
    // Coduin 2016: 270 MB/s, which is 8 bytes in 17.8 cycles.
    unsigned burst_cycles = 18;
    // True if writes of DMA channels form bursts too. Coduin 2016: burst mode is "supposed to work for the DMA
    // transfers as well but our measurements do not show this".
    bool burst_of_dma = false;
    // Cycles between the starts of two replies that enter the chip. Coduin 2016: 16 DMA engines read 11 MB/s each,
    // which is one reply in 27.3 cycles.
    unsigned inward_cycles = 27;
    // Cycles from when a read request has left the chip until its reply is ready to enter the chip. Fitted to Coduin
    // 2016: the reads of one core, one after the other, reach 8.9 MB/s.
    unsigned memory_cycles = 483;
    // Largest number of writes that the link has accepted and not yet sent, including the write that is being sent. In
    // Coduin 2016 the first 70 bytes leave the core fast. In this simulation most of these bytes wait in the mesh (the
    // on-chip network). Therefore one place in the link is enough.
    unsigned writes_buffered = 1;
    // Largest number of read requests that the link has accepted and not yet answered. No source gives this number;
    // with 32, `inward_cycles` determines the speed of reads.
    unsigned reads_under_way = 32;
};

// The speeds, in MB/s, at which the board's own processor accesses external memory and the cores' memories. Source: the
// row "host" of Coduin 2016. The simulator does not use these speeds; a report prints them as inputs.
struct HostAccess {
    double external_read = 48;
    double external_write = 98;
    double core_read = 5.3;
    double core_write = 42.4;
};

} // namespace skerry::sim
