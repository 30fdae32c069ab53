// SPDX-License-Identifier: BSD-3-Clause
// The knee and the break-evens that `skerry bench` finds in curves, on curves whose answers are known.
#include "bench/driver/statistics.hpp"

#include <cmath>
#include <cstdio>
#include <functional>

using skerry::bench::Point;

namespace {

bool failed = false;

void expect(const char *what, double value, double wanted) {
    const bool equal = std::isnan(wanted) ? std::isnan(value) : std::abs(value - wanted) <= 0.01 * std::abs(wanted);
    if (equal) return;
    std::fprintf(stderr, "bench_statistics: %s: %g, not %g\n", what, value, wanted);
    failed = true;
}

std::vector<Point> curve(const std::function<double(double)> &time) {
    std::vector<Point> points;
    for (double bytes = 8; bytes <= 512; bytes += 8) points.push_back({bytes, time(bytes)});
    return points;
}

} // namespace

int main() {
    // 2 a byte up to 70 bytes, then 5.
    const auto bent =
        skerry::bench::find_knee(curve([](double b) { return 10 + 2 * b + (b > 70 ? 3 * (b - 70) : 0); }));
    expect("knee", bent.bytes, 70);
    expect("slope before the knee", bent.before, 2);
    expect("slope behind the knee", bent.behind, 5);
    if (!bent.valid) expect("the knee is valid", 0, 1);
    if (skerry::bench::find_knee({{8, 1}, {16, 2}, {24, 3}}).valid) expect("a knee of three points", 1, 0);

    const std::vector<Point> core = curve([](double b) { return 10 + 2 * b; }),
                             dma = curve([](double b) { return 500 + b; });
    expect("break-even", skerry::bench::break_even(dma, core), 490);
    const std::vector<Point> slow = curve([](double b) { return 5000 + b; });
    expect("no break-even", skerry::bench::break_even(slow, core), std::nan(""));
    expect("always faster", skerry::bench::break_even(core, slow), 8);
    expect("no points", skerry::bench::break_even({}, {}), std::nan(""));

    expect("bytes within a time", skerry::bench::bytes_within(core, 310), 150);
    expect("less than the first", skerry::bench::bytes_within(core, 5), std::nan(""));
    return failed;
}
