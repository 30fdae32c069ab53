// SPDX-License-Identifier: BSD-3-Clause
// Epiphany-III a second time, as plainly as it can be said: raw bits, one flag a variable, memory as bytes, and
// floating point as exact fixed-point numbers of 640 bits that are rounded once. It shares nothing with sim/epiphany/isa and
// cares for no speed; the two are run side by side. Sources as there: binutils cpu/epiphany.cpu, GPL simulator.
#pragma once
#include <cstdint>
#include <vector>

namespace reference {

struct Interpreter {
    std::vector<std::uint8_t> memory; // a power of two; addresses wrap around
    std::uint32_t r[64] = {};
    std::uint32_t pc = 0;
    bool cai = false, gid = false, km = false, sflag = false;
    bool z = false, n = false, c = false, v = false, bz = false, bn = false, bv = false, bc = false;
    bool vs = false, bis = false, bvs = false, bus = false;
    std::uint32_t cause = 0;
    std::uint32_t config = 0, lc = 0, ls = 0, le = 0, iret = 0, imask = 0, ilat = 0, ipend = 0, debug = 0, coreid = 0;

    // Executes one instruction. Interrupts are taken by interrupt(), between instructions.
    void step();
    void interrupt();

    std::uint32_t status() const;
    void set_status(std::uint32_t value, bool all);

  private:
    std::uint32_t get(std::uint32_t address, unsigned bytes) const;
    void put(std::uint32_t address, unsigned bytes, std::uint32_t value);
    void exception(std::uint32_t number);
    bool condition(unsigned code) const;
    void logic_flags(std::uint32_t result);
    void add(std::uint32_t &rd, std::uint32_t a, std::uint32_t b);
    void sub(std::uint32_t &rd, std::uint32_t a, std::uint32_t b);
    void alu(unsigned code, std::uint32_t &rd, std::uint32_t a, std::uint32_t b);
    void fpu(unsigned code, unsigned d, unsigned n_, unsigned m_);
    void fpu_integer(unsigned code, std::uint32_t &rd, std::uint32_t a, std::uint32_t b);
    std::uint32_t fpu_float(unsigned code, std::uint32_t d, std::uint32_t a, std::uint32_t b, bool &overflow,
                            bool &underflow);
    void access(std::uint32_t bits, unsigned d, std::uint32_t address);
    void memory_instruction(std::uint32_t bits, bool is_long);
    void flow(std::uint32_t bits, std::uint32_t &next, bool is_long);
    void long_misc(std::uint32_t bits, std::uint32_t &next);
    void immediate_group(std::uint32_t bits, bool is_long);
    std::uint32_t special(unsigned number) const;
    void set_special(unsigned number, std::uint32_t value, std::uint32_t &next);
};

} // namespace reference
