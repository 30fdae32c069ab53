// SPDX-License-Identifier: BSD-3-Clause
// See reference_interpreter.hpp. The order is that of the encoding: the lowest four bits, then what each family puts
// above.
#include "reference_interpreter.hpp"

namespace reference {
namespace {

unsigned take(std::uint32_t bits, unsigned high, unsigned low) {
    return bits >> low & ((2U << (high - low)) - 1);
}

unsigned reg(std::uint32_t bits, unsigned low, unsigned upper, bool is_long) {
    return take(bits, low + 2, low) + (is_long ? 8 * take(bits, upper + 2, upper) : 0);
}

std::int32_t sign_extend(std::uint32_t value, unsigned width) {
    return value >> (width - 1) & 1 ? static_cast<std::int32_t>(value | ~((1U << width) - 1))
                                    : static_cast<std::int32_t>(value);
}

} // namespace

std::uint32_t Interpreter::status() const {
    const bool bits[] = {cai, gid, km, sflag, z, n, c, v, bz, bn, bv, bc, vs, bis, bvs, bus};
    std::uint32_t value = cause << 16;
    for (unsigned k = 0; k < 16; k++) {
        if (bits[k]) value |= 1U << k;
    }
    return value;
}

void Interpreter::set_status(std::uint32_t value, bool all) {
    if (all) {
        cai = value & 1;
        gid = value >> 1 & 1;
        km = value >> 2 & 1;
    }
    bool *const flags[] = {&sflag, &z, &n, &c, &v, &bz, &bn, &bv, &bc, &vs, &bis, &bvs, &bus};
    for (unsigned k = 0; k < 13; k++) *flags[k] = value >> (3 + k) & 1;
    cause = value >> 16 & 15;
}

std::uint32_t Interpreter::get(std::uint32_t address, unsigned bytes) const {
    std::uint32_t value = 0;
    for (unsigned k = 0; k < bytes; k++) {
        value |= static_cast<std::uint32_t>(memory[(address + k) & (memory.size() - 1)]) << (8 * k);
    }
    return value;
}

void Interpreter::put(std::uint32_t address, unsigned bytes, std::uint32_t value) {
    for (unsigned k = 0; k < bytes; k++) {
        memory[(address + k) & (memory.size() - 1)] = static_cast<std::uint8_t>(value >> (8 * k));
    }
}

void Interpreter::exception(std::uint32_t number) {
    cause = number;
    ilat |= 2;
}

void Interpreter::interrupt() {
    if (gid) return;
    for (unsigned k = 0; k < 10; k++) {
        if (ipend >> k & 1) return;
        if ((ilat & ~imask) >> k & 1) {
            ilat &= ~(1U << k);
            ipend |= 1U << k;
            iret = pc;
            pc = 4 * k;
            cai = gid = km = true;
            return;
        }
    }
}

bool Interpreter::condition(unsigned code) const {
    switch (code) {
    case 0: return z;
    case 1: return !z;
    case 2: return c && !z;
    case 3: return c;
    case 4: return !(c && !z);
    case 5: return !c;
    case 6: return !(z || (n && !v) || (!n && v));
    case 7: return (n && v) || (!n && !v);
    case 8: return (n && !v) || (!n && v);
    case 9: return z || (n && !v) || (!n && v);
    case 10: return bz;
    case 11: return !bz;
    case 12: return bn && !bz;
    case 13: return bn || bz;
    default: return true;
    }
}

void Interpreter::logic_flags(std::uint32_t result) {
    z = result == 0;
    n = result >> 31;
    c = v = false;
}

void Interpreter::add(std::uint32_t &rd, std::uint32_t a, std::uint32_t b) {
    const std::uint64_t wide = std::uint64_t{a} + b;
    const std::int64_t exact = std::int64_t{static_cast<std::int32_t>(a)} + static_cast<std::int32_t>(b);
    rd = static_cast<std::uint32_t>(wide);
    logic_flags(rd);
    c = wide >> 32;
    v = exact != static_cast<std::int32_t>(rd);
    vs = vs || v;
}

void Interpreter::sub(std::uint32_t &rd, std::uint32_t a, std::uint32_t b) {
    const std::int64_t exact = std::int64_t{static_cast<std::int32_t>(a)} - static_cast<std::int32_t>(b);
    const bool no_borrow = b <= a;
    rd = a - b;
    logic_flags(rd);
    c = no_borrow;
    v = exact != static_cast<std::int32_t>(rd);
    vs = vs || v;
}

void Interpreter::alu(unsigned code, std::uint32_t &rd, std::uint32_t a, std::uint32_t b) {
    const unsigned by = b % 32;
    switch (code) {
    case 0: rd = a ^ b; break;
    case 1: add(rd, a, b); return;
    case 2: rd = static_cast<std::uint32_t>(std::uint64_t{a} << by); break;
    case 3: sub(rd, a, b); return;
    case 4: rd = a >> by; break;
    case 5: rd = a & b; break;
    case 6:
        rd = a >> by;
        for (unsigned k = 0; k < by && a >> 31; k++) rd |= 0x80000000U >> k;
        break;
    default: rd = a | b; break;
    }
    logic_flags(rd);
}

void Interpreter::fpu_integer(unsigned code, std::uint32_t &rd, std::uint32_t a, std::uint32_t b) {
    switch (code) {
    case 0: rd = a + b; break;
    case 1: rd = a - b; break;
    case 2: rd = a * b; break;
    case 3: rd = rd + a * b; break;
    default: rd = rd - a * b; break;
    }
    bz = rd == 0;
    bn = rd >> 31;
    bv = false;
}

void Interpreter::fpu(unsigned code, unsigned d, unsigned first, unsigned second) {
    if (config >> 19 & 1 && code <= 4) {
        fpu_integer(code, r[d], r[first], r[second]);
        return;
    }
    bool overflow = false;
    bool underflow = false;
    const std::uint32_t result = fpu_float(code, r[d], r[first], r[second], overflow, underflow);
    const bool is_nan = (result & 0x7fffffff) > 0x7f800000;
    r[d] = result;
    bz = code == 6 ? result == 0 : (result & 0x7fffffff) == 0;
    bn = result >> 31;
    bv = overflow;
    bvs = bvs || overflow;
    bus = bus || underflow;
    bis = bis || (is_nan && code <= 4);
    if ((config >> 1 & 1 && bis) || (config >> 2 & 1 && bvs) || (config >> 3 & 1 && bus)) exception(3);
}

void Interpreter::access(std::uint32_t bits, unsigned d, std::uint32_t address) {
    const unsigned bytes = 1U << take(bits, 6, 5);
    const bool store = take(bits, 4, 4);
    if (address % bytes != 0 || (bytes == 8 && d % 2 == 1)) {
        exception(2);
        return;
    }
    if (bytes == 8 && store) {
        put(address, 4, r[d]);
        put(address + 4, 4, r[d + 1]);
    } else if (bytes == 8) {
        r[d] = get(address, 4);
        r[d + 1] = get(address + 4, 4);
    } else if (store) {
        put(address, bytes, r[d]);
    } else {
        r[d] = get(address, bytes);
    }
}

void Interpreter::memory_instruction(std::uint32_t bits, bool is_long) {
    const unsigned d = reg(bits, 13, 29, is_long);
    const unsigned base = reg(bits, 10, 26, is_long);
    const unsigned family = take(bits, 2, 0);
    const unsigned size = take(bits, 6, 5);
    std::uint32_t offset = 0;
    bool subtract = false;
    bool after = false;
    if (family == 4) {
        offset = take(bits, 9, 7) + (is_long ? 8 * take(bits, 23, 16) : 0);
        offset = offset << size;
        subtract = is_long && take(bits, 24, 24);
        after = is_long && take(bits, 25, 25);
    } else {
        offset = r[reg(bits, 7, 23, is_long)];
        subtract = is_long && take(bits, 20, 20);
        after = family == 5;
        const bool testset = is_long && take(bits, 22, 21) == 1 && family == 1;
        if (is_long && (take(bits, 19, 16) != 0 || take(bits, 22, 22) || (take(bits, 21, 21) && !testset) ||
                        (testset && (take(bits, 4, 4) || size == 3)))) {
            exception(5);
            return;
        }
        if (testset) {
            const std::uint32_t address = subtract ? r[base] - offset : r[base] + offset;
            const unsigned bytes = 1U << size;
            if (address % bytes != 0) {
                exception(2);
                return;
            }
            const std::uint32_t old = get(address, bytes);
            if (old == 0) put(address, bytes, r[d]);
            r[d] = old;
            return;
        }
    }
    const std::uint32_t moved = subtract ? r[base] - offset : r[base] + offset;
    access(bits, d, after ? r[base] : moved);
    if (after) r[base] = moved;
}

std::uint32_t Interpreter::special(unsigned number) const {
    switch (number) {
    case 0: return config;
    case 1: return status();
    case 2: return pc;
    case 3: return debug;
    case 5: return lc;
    case 6: return ls;
    case 7: return le;
    case 8: return iret;
    case 9: return imask;
    case 10: return ilat;
    case 13: return ipend;
    case 16: return status();
    case 193: return coreid;
    default: return 0;
    }
}

void Interpreter::set_special(unsigned number, std::uint32_t value, std::uint32_t &next) {
    switch (number) {
    case 0: config = value; break;
    case 1: set_status(value, false); break;
    case 2:
        if (value != pc) next = value;
        break;
    case 3: debug = value; break;
    case 5: lc = value; break;
    case 6: ls = value; break;
    case 7: le = value; break;
    case 8: iret = value; break;
    case 9: imask = value; break;
    case 10: ilat = value; break;
    case 11: ilat |= value; break;
    case 12: ilat &= ~value; break;
    case 13: ipend = value; break;
    case 16: set_status(value, true); break;
    case 18: debug = (debug & ~1U) | (value & 1); break;
    default: break;
    }
}

// Moves, special moves and jumps, in both lengths (bits 9 to 4), and the short instructions without operands.
void Interpreter::flow(std::uint32_t bits, std::uint32_t &next, bool is_long) {
    const unsigned d = reg(bits, 13, 29, is_long);
    const unsigned m = reg(bits, 10, 26, is_long);
    const unsigned code = take(bits, 9, 4);
    const bool no_d = d == 0;
    const bool special_move = code == 0x10 || code == 0x11;
    if (is_long && (take(bits, 25, 22) != 0 || (take(bits, 21, 20) != 0 && !special_move))) {
        exception(5);
        return;
    }
    if (code <= 14) {
        if (condition(code)) r[d] = r[m];
        return;
    }
    const unsigned number = m + (is_long ? 64 * take(bits, 21, 20) : 0);
    const bool bare = take(bits, 15, 10) == 0 && !is_long;
    if (code == 0x10) {
        set_special(number, r[d], next);
    } else if (code == 0x11) {
        r[d] = special(number);
    } else if ((code == 0x14 || code == 0x15) && no_d) {
        const std::uint32_t target = r[m];
        if (code == 0x15) r[14] = next;
        next = target;
    } else if (code == 0x1e && !is_long) {
        exception(1);
    } else if (code == 0x3e && !is_long) {
        return; // a core's host would see this
    } else if (!bare) {
        exception(5);
    } else {
        switch (code) {
        case 0x18: sflag = true; break;
        case 0x19: gid = false; break;
        case 0x39: gid = true; break;
        case 0x1a:
        case 0x3a:
        case 0x3c:
        case 0x1f: break;
        case 0x1b: cai = false; break;
        case 0x1c: next = pc; break;
        case 0x1d:
            for (unsigned k = 0; k < 32; k++) {
                if (ipend >> k & 1) {
                    ipend &= ~(1U << k);
                    break;
                }
            }
            gid = km = false;
            next = iret;
            break;
        default: exception(5); break;
        }
    }
}

void Interpreter::immediate_group(std::uint32_t bits, bool is_long) {
    const unsigned d = reg(bits, 13, 29, is_long);
    if (take(bits, 4, 4) == 0) {
        if (!is_long) {
            r[take(bits, 15, 13)] = take(bits, 12, 5);
        } else if (take(bits, 19, 16) != 2) {
            exception(5);
        } else {
            const std::uint32_t value = take(bits, 12, 5) + 256 * take(bits, 27, 20);
            r[d] = take(bits, 28, 28) ? (r[d] & 0xffff) + 65536 * value : value;
        }
        return;
    }
    const unsigned code = take(bits, 6, 4);
    if ((code != 1 && code != 3) || (is_long && take(bits, 25, 24) != 0)) {
        exception(5);
        return;
    }
    const std::int32_t value =
        is_long ? sign_extend(8 * take(bits, 23, 16) + take(bits, 9, 7), 11) : sign_extend(take(bits, 9, 7), 3);
    const std::uint32_t source = r[reg(bits, 10, 26, is_long)];
    if (code == 1) {
        add(r[d], source, static_cast<std::uint32_t>(value));
    } else {
        sub(r[d], source, static_cast<std::uint32_t>(value));
    }
}

void Interpreter::long_misc(std::uint32_t bits, std::uint32_t &next) {
    const unsigned d = reg(bits, 13, 29, true);
    const unsigned first = reg(bits, 10, 26, true);
    const unsigned second = reg(bits, 7, 23, true);
    const unsigned code = take(bits, 6, 4);
    const unsigned extra = take(bits, 22, 20);
    if (bits == 0x000f000f) {
        exception(4);
        return;
    }
    switch (take(bits, 19, 16)) {
    case 0x2: flow(bits, next, true); return;
    case 0x6:
    case 0xe: {
        const bool arithmetic = take(bits, 19, 16) == 0xe;
        const unsigned by = take(bits, 9, 5);
        if (take(bits, 25, 20) != 0 || (arithmetic && take(bits, 4, 4) && by != 0)) break;
        if (arithmetic && take(bits, 4, 4)) {
            std::uint32_t result = 0;
            for (unsigned k = 0; k < 32; k++) result |= (r[first] >> k & 1) << (31 - k);
            r[d] = result;
            logic_flags(result);
        } else {
            alu(arithmetic ? 6 : take(bits, 4, 4) ? 2 : 4, r[d], r[first], by);
        }
        return;
    }
    case 0x7:
        if (extra == 0) {
            fpu(code, d, first, second);
            return;
        }
        if (extra == 1 && code <= 1) {
            exception(4);
            return;
        }
        break;
    case 0xa:
        if (extra == 0) {
            alu(code, r[d], r[first], r[second]);
            return;
        }
        if (extra == 1 && code <= 2) {
            exception(4);
            return;
        }
        break;
    default: break;
    }
    exception(5);
}

void Interpreter::step() {
    const std::uint32_t here = pc;
    std::uint32_t bits = get(here, 4);
    const unsigned family = bits & 15;
    const bool is_long = family == 8 || family == 9 || family == 11 || family == 12 || family == 13 || family == 15;
    if (!is_long) bits &= 0xffff;
    std::uint32_t next = here + (is_long ? 4 : 2);
    const unsigned d = take(bits, 15, 13);
    const unsigned first = take(bits, 12, 10);
    const unsigned second = take(bits, 9, 7);
    switch (family) {
    case 0x0:
    case 0x8: {
        const unsigned code = take(bits, 7, 4);
        const std::int32_t distance = is_long ? sign_extend(bits >> 8, 24) : sign_extend(bits >> 8, 8);
        if (code == 15) r[14] = next;
        if (condition(code)) next = here + 2 * static_cast<std::uint32_t>(distance);
        break;
    }
    case 0x1:
    case 0x4:
    case 0x5: memory_instruction(bits, false); break;
    case 0x9:
    case 0xc:
    case 0xd: memory_instruction(bits, true); break;
    case 0x2: flow(bits, next, false); break;
    case 0x3: immediate_group(bits, false); break;
    case 0xb: immediate_group(bits, true); break;
    case 0x6: alu(take(bits, 4, 4) ? 2 : 4, r[d], r[first], take(bits, 9, 5)); break;
    case 0x7: fpu(take(bits, 6, 4), d, first, second); break;
    case 0xa: alu(take(bits, 6, 4), r[d], r[first], r[second]); break;
    case 0xe:
        if (!take(bits, 4, 4)) {
            alu(6, r[d], r[first], take(bits, 9, 5));
        } else if (take(bits, 9, 5) == 0) {
            std::uint32_t result = 0;
            for (unsigned k = 0; k < 32; k++) result |= (r[first] >> k & 1) << (31 - k);
            r[d] = result;
            logic_flags(result);
        } else {
            exception(5);
        }
        break;
    default: long_misc(bits, next); break;
    }
    pc = next;
    const std::uint32_t mine = here < 0x100000 ? here + (coreid << 20) : here;
    const std::uint32_t last = le < 0x100000 ? le + (coreid << 20) : le;
    if (lc != 0 && mine == last) {
        lc--;
        if (lc != 0) pc = ls;
    }
}

} // namespace reference
