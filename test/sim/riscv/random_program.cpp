// SPDX-License-Identifier: BSD-3-Clause
// Instructions are made from the encodings in riscv/instruction.hpp: the bits that a row leaves open are random. x2 and
// x8 always hold the address of the middle of the data, so that loads and stores hit it. All jumps lead forward.
#include "random_program.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
#include <utility>

#include "riscv/decode.hpp"
#include "riscv/semantics.hpp"

namespace skerry::sim {
namespace {

using namespace riscv;

constexpr std::uint32_t data_at = 0x10000;
constexpr std::uint32_t data_size = 0x1000;
constexpr std::uint32_t code_at = data_at + data_size;
constexpr std::uint32_t middle = data_at + data_size / 2; // what x2 and x8 hold
constexpr std::uint32_t scratch = 9;                      // register for the addresses of atomic operations and jumps
constexpr std::uint32_t instructions_between_logs = 150;

constexpr std::uint32_t op_addi = 0x13;
constexpr std::uint32_t op_lui = 0x37;
constexpr std::uint32_t op_auipc = 0x17;
constexpr std::uint32_t op_jalr = 0x67;
constexpr std::uint32_t op_store = 0x23;
constexpr std::uint32_t op_float_store = 0x27;
constexpr std::uint32_t ecall = 0x73;

Extension extension_of(Mix mix) {
    switch (mix) {
    case Mix::multiply: return Extension::multiply;
    case Mix::atomic: return Extension::atomic;
    case Mix::single_float: return Extension::single_float;
    case Mix::double_float: return Extension::double_float;
    case Mix::base:
    case Mix::compressed: break;
    }
    return Extension::base;
}

class Generator {
  public:
    Generator(Mix mix, std::uint32_t seed) : mix_(mix), random_(seed) {
        for (unsigned k = 1; k < all_facts.size(); k++) {
            const Facts &f = all_facts[k];
            if (f.unit == Unit::system || static_cast<Operation>(k) == Operation::mret) continue;
            if (f.extension == Extension::base) base_.push_back(&f);
            if (f.extension == extension_of(mix)) special_.push_back(&f);
        }
    }

    RandomProgram make(std::uint32_t instructions) {
        set_register(stack_register, middle);
        set_register(frame_register, middle);
        for (std::uint32_t r = 1; r < 32; r++) {
            if (r != stack_register && r != frame_register) set_register(r, interesting_word());
        }
        if (floats()) load_floats();
        std::uint32_t next_log = 0;
        while (count_ < instructions) {
            if (count_ >= next_log) {
                log_registers();
                next_log = count_ + instructions_between_logs;
            }
            put_something(true);
        }
        log_registers();
        return finish();
    }

  private:
    // ---- random values ----
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>(random_() % n);
    }
    std::uint32_t interesting_word() {
        constexpr std::array<std::uint32_t, 8> some = {0,          1,  0xffffffff, 0x80000000,
                                                       0x7fffffff, 31, 0x55555555, 0xffff8000};
        return below(3) == 0 ? some[below(some.size())] : static_cast<std::uint32_t>(random_());
    }
    // Returns the bits of a number: often special, or with an exponent that sums and products can keep.
    std::uint64_t interesting_double() {
        constexpr std::array<std::uint64_t, 10> some = {
            0, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 0x7ff0000000000001,
            1, 0x000fffffffffffff, 0x7fefffffffffffff, 0x3ff0000000000000};
        if (below(4) == 0) return some[below(some.size())];
        const std::uint64_t sign_and_fraction = random_() & 0x800fffffffffffff;
        const std::uint64_t exponent = below(3) == 0 ? below(2048) : 1023 - 30 + below(60);
        return sign_and_fraction | exponent << 52;
    }
    std::uint32_t interesting_single() {
        constexpr std::array<std::uint32_t, 10> some = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                                        0x7f800001, 1,          0x007fffff, 0x7f7fffff, 0x3f800000};
        if (below(4) == 0) return some[below(some.size())];
        const std::uint32_t exponent = below(3) == 0 ? below(256) : 127 - 12 + below(24);
        return (static_cast<std::uint32_t>(random_()) & 0x807fffff) | exponent << 23;
    }
    std::uint32_t destination() {
        for (;;) {
            const std::uint32_t r = below(32);
            if (r != stack_register && r != frame_register) return r;
        }
    }
    bool floats() const {
        return mix_ == Mix::single_float || mix_ == Mix::double_float;
    }

    // ---- code ----
    void half(std::uint32_t bits) {
        code_.push_back(static_cast<std::uint8_t>(bits));
        code_.push_back(static_cast<std::uint8_t>(bits >> 8));
    }
    void put(std::uint32_t bits) {
        const Instruction i = decode(bits);
        used_[static_cast<unsigned>(i.operation)]++;
        count_++;
        half(bits);
        if (length_of(bits) == 4) half(bits >> 16);
    }
    static std::uint32_t i_type(std::uint32_t op, std::uint32_t rd, std::uint32_t rs1, std::uint32_t value) {
        return op | rd << 7 | rs1 << 15 | value << 20;
    }
    static std::uint32_t s_type(std::uint32_t op, std::uint32_t width, std::uint32_t rs1, std::uint32_t rs2,
                                std::uint32_t value) {
        return op | (value & 31) << 7 | width << 12 | rs1 << 15 | rs2 << 20 | (value >> 5 & 127) << 25;
    }
    void set_register(std::uint32_t rd, std::uint32_t value) {
        put(op_lui | rd << 7 | ((value + 0x800) & ~0xfffU));
        put(i_type(op_addi, rd, rd, value & 0xfff));
    }
    void load_floats() {
        for (std::uint32_t r = 0; r < 32; r++) {
            const std::uint32_t width = mix_ == Mix::double_float ? 3 : 2;
            put(0x07 | width << 12 | r << 7 | frame_register << 15 | (8 * r) << 20);
        }
    }
    // Appends all registers to the log. The address of the log is not known yet: log_places_ has the places of the two
    // instructions that load it.
    void log_registers() {
        log_places_.push_back({static_cast<std::uint32_t>(code_.size()), log_bytes_});
        set_register(stack_register, 0);
        std::uint32_t at = 0;
        for (std::uint32_t r = 1; r < 32; r++, at += 4) {
            if (r != stack_register) put(s_type(op_store, 2, stack_register, r, at));
        }
        at += 4;
        const std::uint32_t width = mix_ == Mix::double_float ? 3 : 2;
        for (std::uint32_t r = 0; floats() && r < 32; r++, at += 8) {
            put(s_type(op_float_store, width, stack_register, r, at));
        }
        if (floats()) {
            put(0x00302073 | scratch << 7); // csrrs scratch,fcsr,x0
            put(s_type(op_store, 2, stack_register, scratch, at));
            at += 8;
        }
        log_bytes_ += at;
        set_register(stack_register, middle);
    }

    // ---- one random instruction, or a few that belong together ----
    void put_something(bool may_jump) {
        if (mix_ == Mix::compressed && below(10) < 7) return compressed(may_jump);
        const bool common = special_.empty() || below(10) < (mix_ == Mix::base ? 10U : 3U);
        const Facts &f = common ? *base_[below(static_cast<std::uint32_t>(base_.size()))]
                                : *special_[below(static_cast<std::uint32_t>(special_.size()))];
        if (floats() && below(20) == 0) return control_floats();
        if (f.unit == Unit::jump) {
            if (may_jump) jump(f);
            return;
        }
        put_with_address(f);
    }

    void put_with_address(const Facts &f) {
        std::uint32_t bits = f.value | (static_cast<std::uint32_t>(random_()) & ~f.mask);
        const Operands o = operands_of(f.format);
        const auto set = [&](unsigned at, std::uint32_t value) { bits = (bits & ~(31U << at)) | value << at; };
        if (o.rd) set(7, destination());
        if (o.rounds) bits = (bits & ~0x7000U) | (below(3) == 0 ? below(5) : 7) << 12;
        const Operation operation = decode(bits).operation;
        const std::uint32_t size = size_of(operation);
        if (f.unit == Unit::atomic) return atomic(bits, operation);
        if (size != 0) {
            set(15, below(2) == 0 ? stack_register : frame_register);
            const std::uint32_t displacement = below(data_size / size) * size - data_size / 2;
            if (f.unit == Unit::load) bits = (bits & 0xfffff) | displacement << 20;
            else bits = (bits & 0x01fff07f) | (displacement & 31) << 7 | (displacement >> 5 & 127) << 25;
        }
        put(bits);
    }

    // LR is always followed by SC, with instructions between that do not access memory. SC also occurs alone.
    void atomic(std::uint32_t bits, Operation operation) {
        const std::uint32_t displacement = below(data_size / 4) * 4 - data_size / 2;
        put(i_type(op_addi, scratch, frame_register, displacement & 0xfff));
        bits = (bits & ~(31U << 15)) | scratch << 15;
        if (operation != Operation::lr_w) return put(bits);
        while ((bits >> 7 & 31) == scratch) bits = (bits & ~(31U << 7)) | destination() << 7;
        put(bits);
        for (std::uint32_t n = below(3); n > 0; n--) {
            put(i_type(op_addi, 10 + below(10), below(32), below(4096)));
        }
        put(0x1800202f | destination() << 7 | scratch << 15 | below(32) << 20);
    }

    // Reads or writes the flags and the rounding mode, which stays a valid one; or loads interesting numbers.
    void control_floats() {
        const std::uint32_t rd = destination();
        switch (below(4)) {
        case 0: return put(0x00205073 | rd << 7 | below(5) << 15);  // csrrwi rd,frm,mode
        case 1: return put(0x00101073 | rd << 7 | below(32) << 15); // csrrw rd,fflags,rs1
        case 2: return put(0x00302073 | rd << 7);                   // csrrs rd,fcsr,x0
        default: return load_floats();
        }
    }

    // Writes some instructions, behind a jump of `size` bytes over all of them, which `encode` makes from the distance.
    // The distance is less than `reach`; it is mostly short.
    void over_some(const std::function<void(std::uint32_t distance)> &encode, std::uint32_t size, std::uint32_t reach) {
        constexpr std::uint32_t longest = 160; // bytes of one call of put_something
        const std::uint32_t enough =
            below(8) == 0 && reach > longest + size ? below(reach - longest - size) : below(12);
        std::vector<std::uint8_t> before = std::exchange(code_, {});
        do put_something(false);
        while (code_.size() < enough);
        const std::vector<std::uint8_t> between = std::exchange(code_, std::move(before));
        encode(size + static_cast<std::uint32_t>(between.size()));
        code_.insert(code_.end(), between.begin(), between.end());
    }

    void jump(const Facts &f) {
        const std::uint32_t bits = f.value | (static_cast<std::uint32_t>(random_()) & ~f.mask);
        switch (f.format) {
        case Format::jump:
            return over_some(
                [&](std::uint32_t d) {
                    put(f.value | destination() << 7 | (d >> 1 & 1023) << 21 | (d >> 11 & 1) << 20);
                },
                4, 2000);
        case Format::jump_register:
            return over_some(
                [&](std::uint32_t d) {
                    put(op_auipc | scratch << 7);
                    put(i_type(op_jalr, destination(), scratch, d));
                },
                8, 2000);
        default:
            return over_some(
                [&](std::uint32_t d) {
                    put((bits & 0x01fff07f) | (d >> 1 & 15) << 8 | (d >> 5 & 63) << 25 | (d >> 11 & 1) << 7);
                },
                4, 4000);
        }
    }

    void compressed(bool may_jump) {
        const auto c = static_cast<std::uint16_t>((random_() & ~std::uint64_t{3}) | below(3));
        const std::uint32_t bits = expand(c);
        if (bits == 0) return;
        const Instruction i = decode(c);
        const Facts &f = facts_of(i.operation);
        if (f.extension != Extension::base || f.unit == Unit::system || f.format == Format::jump_register) return;
        if (f.unit == Unit::jump) {
            if (may_jump) compressed_jump(c, f.format == Format::branch);
            return;
        }
        const bool reserved = i.rd == stack_register || i.rd == frame_register;
        const bool writes = operands_of(f.format).rd;
        if (writes && reserved) return;
        if (size_of(i.operation) != 0 && i.rs1 != stack_register && i.rs1 != frame_register) return;
        put(c);
    }
    void compressed_jump(std::uint32_t c, bool branch) {
        over_some(
            [&](std::uint32_t d) {
                if (branch) {
                    put((c & 0xe383) | (d >> 8 & 1) << 12 | (d >> 3 & 3) << 10 | (d >> 6 & 3) << 5 | (d >> 1 & 3) << 3 |
                        (d >> 5 & 1) << 2);
                } else {
                    put((c & 0xe003) | (d >> 4 & 1) << 11 | (d >> 7 & 1) << 6 | (d >> 6 & 1) << 7 | (d >> 1 & 7) << 3 |
                        (d >> 5 & 1) << 2 | (d >> 8 & 3) << 9 | (d >> 10 & 1) << 8);
                }
            },
            2, branch ? 254 : 2000);
    }

    // ---- the file ----
    RandomProgram finish() {
        const std::uint32_t end = code_at + static_cast<std::uint32_t>(code_.size()) + 11 * 4;
        const std::uint32_t log = (end + 15) & ~15U;
        set_register(10, 1);
        set_register(11, log);
        set_register(12, log_bytes_);
        put(i_type(op_addi, 17, 0, 64)); // write
        put(ecall);
        put(i_type(op_addi, 10, 0, 0));
        put(i_type(op_addi, 17, 0, 93)); // exit
        put(ecall);
        for (const auto &[at, offset] : log_places_) {
            const std::uint32_t address = log + offset;
            const std::uint32_t upper = op_lui | stack_register << 7 | ((address + 0x800) & ~0xfffU);
            const std::uint32_t lower = i_type(op_addi, stack_register, stack_register, address & 0xfff);
            std::memcpy(&code_[at], &upper, 4);
            std::memcpy(&code_[at + 4], &lower, 4);
        }
        RandomProgram program;
        program.log = log;
        program.log_bytes = log_bytes_;
        program.used = used_;
        program.elf = file(log + log_bytes_ - data_at);
        return program;
    }
    // Returns an ELF file with one segment: data, code, and zeros.
    std::vector<std::uint8_t> file(std::uint32_t bytes_in_memory) {
        constexpr std::uint32_t headers = 0x1000; // a page, so that Linux can map the file
        std::vector<std::uint32_t> data(data_size / 4);
        for (std::size_t k = 0; k < data.size(); k += 2) {
            const std::uint64_t pair = mix_ == Mix::double_float && below(2) == 0
                                           ? interesting_double()
                                           : std::uint64_t{interesting_single()} << 32 | interesting_single();
            data[k] = static_cast<std::uint32_t>(pair);
            data[k + 1] = static_cast<std::uint32_t>(pair >> 32);
        }
        const auto bytes_in_file = static_cast<std::uint32_t>(data_size + code_.size());
        std::vector<std::uint8_t> f(headers + bytes_in_file);
        const auto set = [&](std::size_t at, std::uint32_t value, unsigned size) { std::memcpy(&f[at], &value, size); };
        const std::uint8_t ident[] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
        std::ranges::copy(ident, f.begin());
        set(16, 2, 2);   // an executable
        set(18, 243, 2); // for RISC-V
        set(20, 1, 4);
        set(24, code_at, 4);          // entry
        set(28, 52, 4);               // offset of the program header
        set(36, floats() ? 5 : 1, 4); // compressed instructions; the float ABI of doubles
        set(40, 52, 2);
        set(42, 32, 2);
        set(44, 1, 2);
        const std::uint32_t segment[] = {1, headers, data_at, data_at, bytes_in_file, bytes_in_memory, 7, headers};
        std::memcpy(&f[52], segment, sizeof segment);
        std::memcpy(&f[headers], data.data(), data_size);
        std::memcpy(&f[headers + data_size], code_.data(), code_.size());
        return f;
    }

    struct LogPlace {
        std::uint32_t at;     // offset in the code
        std::uint32_t offset; // in the log
    };
    Mix mix_;
    std::mt19937_64 random_;
    std::vector<const Facts *> base_;
    std::vector<const Facts *> special_;
    std::vector<std::uint8_t> code_;
    std::vector<LogPlace> log_places_;
    std::uint32_t log_bytes_ = 0;
    std::uint32_t count_ = 0;
    std::array<std::uint32_t, all_facts.size()> used_{};
};

} // namespace

RandomProgram make_random_program(Mix mix, std::uint32_t seed, std::uint32_t instructions) {
    return Generator(mix, seed).make(instructions);
}

} // namespace skerry::sim
