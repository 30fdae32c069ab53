// SPDX-License-Identifier: BSD-3-Clause
// Lists all benchmarks: the program that measures each benchmark, and the limit of its figure on this machine. A limit
// is the time of a C program without any library.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace skerry::bench {

struct Benchmark {
    std::string_view name, program;
    bool sized;  // true: measured at a list of sizes
    size_t unit; // bytes; sizes are multiples of this
    std::string_view about;
};

const std::vector<Benchmark> &benchmarks();
const Benchmark *find_benchmark(std::string_view name);

// Identifies one measured figure by the benchmark's name, the number of PEs, and the size.
struct Key {
    std::string name;
    int pes = 0;
    size_t bytes = 0;
    auto operator<=>(const Key &) const = default;
};

// Names a program of bench/limits/ and the line of its output that gives the limit of a measured figure: the time
// without any library.
struct Limit {
    std::string program; // empty: the figure has no limit
    std::string name;
    long parameter = 0;
    double factor = 1; // the limit is the printed figure multiplied by `factor`
};

Limit limit_of(const Key &key, int processors);

} // namespace skerry::bench
