// SPDX-License-Identifier: BSD-3-Clause
// Computes medians, quartiles, and straight lines fitted to the times of operations of different sizes.
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

// The time of an operation on L bytes is alpha + beta * L. alpha and beta each have a standard deviation.
struct Fit {
    double alpha = 0, alpha_deviation = 0; // ns
    double beta = 0, beta_deviation = 0;   // ns per byte
    bool valid = false;                    // needs the times of at least three sizes
};

Fit fit_line(const std::vector<Point> &points);

// Two straight lines, one for the smaller and one for the larger sizes. They meet at the knee.
struct Knee {
    double bytes = 0;
    double before = 0, behind = 0; // slopes, ns per byte
    bool valid = false;            // true: two or more sizes on each side, and the knee lies within the sizes
};

Knee find_knee(const std::vector<Point> &points);

// These functions take the times of operations at increasing sizes, and interpolate between the sizes. break_even
// returns the size in bytes from which `first` takes no longer than `second`; both must have the same sizes.
// bytes_within returns the size in bytes of the operation that takes `nanoseconds`. Both return NaN if there is no such
// size.
double break_even(const std::vector<Point> &first, const std::vector<Point> &second);
double bytes_within(const std::vector<Point> &points, double nanoseconds);

} // namespace skerry::bench
