// SPDX-License-Identifier: BSD-3-Clause
// Divides the address space into functions, for which a profile counts cycles. A symbol with a size is a function. A
// symbol without a size is a function that ends at the next symbol. Symbols inside an earlier function are ignored.
// Addresses outside all functions belong to function 0.
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
    explicit Functions(const ElfImage &image);

    struct Range { // a range of addresses that belong to one function
        std::uint32_t begin;
        std::uint32_t last;
        std::uint32_t function;
        bool holds(std::uint32_t address) const {
            return address - begin <= last - begin;
        }
    };
    Range find(std::uint32_t address) const;
    const Function &operator[](std::uint32_t index) const {
        return functions_[index];
    }
    std::uint32_t size() const {
        return static_cast<std::uint32_t>(functions_.size());
    }

  private:
    std::vector<Function> functions_; // function 0, then the other functions by address, without overlaps
};

} // namespace skerry::sim
