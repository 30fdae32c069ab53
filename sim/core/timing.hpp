// SPDX-License-Identifier: BSD-3-Clause
// Every latency of a core, in cycles, each with its source. "GCC" is config/epiphany of GCC 12. A latency counts from
// the cycle in which an instruction issues to the first one in which another can issue that uses its result; 1 means
// the next cycle.
#pragma once
#include <cstdint>

namespace skerry::sim::timing {

// GCC epiphany-sched.md, simple_arith: 2 to the FPU; define_bypass 1 to everything else.
constexpr std::uint64_t integer_result = 1;
// GCC epiphany-sched.md, load: 3 to the FPU; define_bypass 2 to everything else.
constexpr std::uint64_t load_result = 2;
// The FPU reads its operands one cycle before the others: the difference of the two above.
constexpr std::uint64_t float_reads_earlier = 1;
// GCC epiphany-sched.md, fp_arith: 5; define_bypass 4 to the data of a store. The FPU's integer operations are the same
// reservation (type fp_int). Flags are taken to arrive with the result.
constexpr std::uint64_t float_result = 5;
constexpr std::uint64_t store_data_reads_later = 1;

// GCC epiphany.opt: -mbranch-cost is 3 unless told otherwise. A taken branch, jump or RTI is followed by another
// instruction after so many cycles; one that is not taken costs one. The jump back of a hardware loop is free.
constexpr std::uint64_t taken_branch = 3;

// No free source: the fetch of the vector is a jump to an address that no instruction names.
constexpr std::uint64_t interrupt_entry = taken_branch;

// A fetch takes an aligned double word, like every other access to a bank (S0: 8 bytes a clock). The buffer holds what
// has been fetched and not issued, so one fetch a cycle feeds two four-byte instructions a cycle.
constexpr std::uint32_t fetch_bytes = 8;

} // namespace skerry::sim::timing
