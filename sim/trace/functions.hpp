// SPDX-License-Identifier: BSD-3-Clause
// The address space cut into functions: what a profile counts by. Symbols with a size are taken as they are, labels
// without one reach to the next symbol and count only outside of those; what lies between belongs to function 0.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "host/elf_image.hpp"

namespace skerry::sim {

struct Function {
    std::uint32_t begin;
    std::uint32_t end; // behind the last byte
    std::string name;
};

class Functions {
  public:
    explicit Functions(const ElfImage &image);

    struct Range { // within which nothing but one function is
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
    std::vector<Function> functions_; // by address, without overlaps, but for the first
};

} // namespace skerry::sim
