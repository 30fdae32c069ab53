// SPDX-License-Identifier: BSD-3-Clause
// What can be measured, by which program, and what this machine's limit for it is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skerry::bench {

struct Benchmark {
    std::string_view name, program;
    bool sized;  // measured at a list of sizes
    size_t unit; // which sizes: multiples of this
    std::string_view about;
};

const std::vector<Benchmark> &benchmarks();
const Benchmark *find_benchmark(std::string_view name);

// One measured number.
struct Key {
    std::string name;
    int pes = 0;
    size_t bytes = 0;
    auto operator<=>(const Key &) const = default;
};

// A limit program and the line of it that belongs to a number.
struct Limit {
    std::string program; // empty: there is no limit for this
    std::string name;
    long parameter = 0;
    double factor = 1; // the printed figure times this is the limit's time
};

Limit limit_of(const Key &key, int processors);

} // namespace skerry::bench
