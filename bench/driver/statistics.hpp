// SPDX-License-Identifier: BSD-3-Clause
// Medians, quartiles, and the straight line through times of different sizes.
#pragma once

#include <vector>

namespace skerry::bench {

struct Spread {
    double median = 0, quartile1 = 0, quartile3 = 0;
    int count = 0; // 0: nothing was measured
};

Spread spread_of(std::vector<double> values);

struct Point {
    double bytes, nanoseconds;
};

// Time of L bytes: alpha + beta * L, each with its standard deviation.
struct Fit {
    double alpha = 0, alpha_deviation = 0; // ns
    double beta = 0, beta_deviation = 0;   // ns per byte
    bool valid = false;                    // three sizes at least
};

Fit fit_line(const std::vector<Point> &points);

} // namespace skerry::bench
