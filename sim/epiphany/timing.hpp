// SPDX-License-Identifier: BSD-3-Clause
// Lists every latency of a core, in cycles, each with its source. "GCC" means the folder config/epiphany of GCC 12,
// which describes the pipeline to the compiler. A latency counts from the cycle in which an instruction issues. The
// latency ends at the first cycle in which an instruction that uses the result can issue. A latency of 1 means the next
// cycle.
#pragma once
#include <cstdint>

namespace skerry::sim::timing {

// Latency of an integer instruction to all units except the FPU. GCC epiphany-sched.md has latency 2 for simple_arith,
// which is the latency to the FPU. Its define_bypass gives 1 for all other units.
constexpr std::uint64_t integer_result = 1;
// Latency of a load to all units except the FPU. GCC epiphany-sched.md has latency 3 for load, which is the latency to
// the FPU. Its define_bypass gives 2 for all other units.
constexpr std::uint64_t load_result = 2;
// Number of cycles by which the floating-point unit (FPU) reads its operands earlier than other units. The number
// follows from the two results above. In GCC both latencies to the FPU are one cycle longer than the latencies to other
// units.
constexpr std::uint64_t float_reads_earlier = 1;
// Latency of an instruction of the floating-point unit: 5 cycles in general, and 4 cycles to a store that stores the
// result (GCC epiphany-sched.md: fp_arith and its define_bypass). The integer operations of this unit have the same
// latency (type fp_int). We assume that the flags are ready in the same cycle as the result.
constexpr std::uint64_t float_result = 5;
constexpr std::uint64_t store_data_reads_later = 1;

// Cycles from a taken branch, jump or RTI (return from an interrupt) to the next instruction. GCC epiphany.opt:
// -mbranch-cost is 3 by default. A branch that is not taken costs one cycle. The jump back of a hardware loop is free.
constexpr std::uint64_t taken_branch = 3;

// Cycles to enter an interrupt handler. No source that is free to use gives this value. The core fetches from the
// interrupt vector's address, as it does after a jump. Therefore we assume the time of a taken branch.
constexpr std::uint64_t interrupt_entry = taken_branch;

} // namespace skerry::sim::timing
