// SPDX-License-Identifier: BSD-3-Clause
// Lists every latency of a core, in cycles, each with its source. "GCC" means the folder config/epiphany of GCC 12. A
// latency counts from the cycle in which an instruction issues to the first cycle in which an instruction that uses the
// first one's result can issue. A latency of 1 means the next cycle.
#pragma once
#include <cstdint>

namespace skerry::sim::timing {

// GCC epiphany-sched.md, simple_arith: latency 2 to the FPU; define_bypass: 1 to all other units.
constexpr std::uint64_t integer_result = 1;
// GCC epiphany-sched.md, load: latency 3 to the FPU; define_bypass: 2 to all other units.
constexpr std::uint64_t load_result = 2;
// The FPU reads its operands one cycle earlier than other units: for the two results above (of an integer instruction
// and of a load), GCC's latency to the FPU is one cycle longer than to other units.
constexpr std::uint64_t float_reads_earlier = 1;
// GCC epiphany-sched.md, fp_arith: latency 5; define_bypass: 4 to the data of a store. The FPU's integer operations use
// the same reservation (type fp_int). Assumption: the flags arrive with the result.
constexpr std::uint64_t float_result = 5;
constexpr std::uint64_t store_data_reads_later = 1;

// Cycles from a taken branch, jump or RTI (return from an interrupt) to the next instruction. GCC epiphany.opt:
// -mbranch-cost is 3 by default. A branch that is not taken costs one cycle. The jump back of a hardware loop is free.
constexpr std::uint64_t taken_branch = 3;

// No free source gives this value. The entry of an interrupt fetches from the vector's address, like a jump, so it is
// assumed to take as long as a taken branch.
constexpr std::uint64_t interrupt_entry = taken_branch;

// A fetch reads an aligned double word, as every access to a bank can (Ross and Richie 2016: 8 bytes a clock). The
// fetch buffer holds the bytes that have been fetched and not yet issued, so one fetch a cycle feeds two four-byte
// instructions a cycle.
constexpr std::uint32_t fetch_bytes = 8;

} // namespace skerry::sim::timing
