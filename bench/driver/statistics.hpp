// SPDX-License-Identifier: BSD-3-Clause
// Medians, quartiles, and the straight lines through times of different sizes.
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

// Two straight lines through times of increasing sizes, which meet at the knee.
struct Knee {
    double bytes = 0;
    double before = 0, behind = 0; // slopes, ns per byte
    bool valid = false;            // two sizes on each side, and the slope changes
};

Knee find_knee(const std::vector<Point> &points);

// Both take times of the same increasing sizes, and interpolate between them. break_even: the size from which on `first`
// takes no longer than `second`. bytes_within: the size that takes so long. NaN where there is none.
double break_even(const std::vector<Point> &first, const std::vector<Point> &second);
double bytes_within(const std::vector<Point> &points, double nanoseconds);

} // namespace skerry::bench
