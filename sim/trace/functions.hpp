// SPDX-License-Identifier: BSD-3-Clause
// Divides the address space into functions, for which a profile counts cycles. A symbol with a size is a function. A
// symbol without a size is a function that ends at the next symbol. Symbols inside an earlier function are ignored.
// Addresses outside all functions belong to function 0. The cores of a chip can execute several programs, each with functions
// of its own at the same addresses.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct Function {
    std::uint32_t begin;
    std::uint32_t end; // address after the last byte
    std::string name;
};

class Functions {
  public:
    explicit Functions(const ElfImage &image); // program 0

    // Adds the functions of another program, whose name is added to their names. Its number is the number of programs before.
    void add(const ElfImage &image, const std::string &program);
    std::uint32_t programs() const {
        return static_cast<std::uint32_t>(begins_.size());
    }

    struct Range { // a range of addresses that belong to one function
        std::uint32_t begin;
        std::uint32_t last;
        std::uint32_t function;
        bool holds(std::uint32_t address) const {
            return address - begin <= last - begin;
        }
    };
    Range find(std::uint32_t address, std::uint32_t program = 0) const;
    const Function &operator[](std::uint32_t index) const {
        return functions_[index];
    }
    std::uint32_t size() const {
        return static_cast<std::uint32_t>(functions_.size());
    }

  private:
    void take(const ElfImage &image, const std::string &after_name);

    std::vector<Function> functions_;   // function 0, then those of each program by address, without overlaps
    std::vector<std::uint32_t> begins_; // number of the first function of each program
};

} // namespace skerry::sim
