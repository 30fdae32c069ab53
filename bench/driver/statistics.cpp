// SPDX-License-Identifier: BSD-3-Clause
// The line is fitted by least squares of relative errors (weights 1 / time squared): sizes go over six decades, and
// without weights the largest alone would decide and alpha mean nothing.
#include "statistics.hpp"

#include <algorithm>
#include <cmath>

namespace skerry::bench {

namespace {

double quantile(const std::vector<double> &sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Spread spread_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    return {quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75), static_cast<int>(values.size())};
}

Fit fit_line(const std::vector<Point> &points) {
    if (points.size() < 3) return {};
    double weights = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const Point &point : points) {
        const double weight = 1 / (point.nanoseconds * point.nanoseconds);
        weights += weight;
        x += weight * point.bytes;
        y += weight * point.nanoseconds;
        xx += weight * point.bytes * point.bytes;
        xy += weight * point.bytes * point.nanoseconds;
    }
    const double determinant = weights * xx - x * x;
    if (!(determinant > 0)) return {};
    Fit fit;
    fit.beta = (weights * xy - x * y) / determinant;
    fit.alpha = (y - fit.beta * x) / weights;
    double residual = 0;
    for (const Point &point : points) {
        const double error = (fit.alpha + fit.beta * point.bytes) / point.nanoseconds - 1;
        residual += error * error;
    }
    const double variance = residual / static_cast<double>(points.size() - 2);
    fit.alpha_deviation = std::sqrt(variance * xx / determinant);
    fit.beta_deviation = std::sqrt(variance * weights / determinant);
    fit.valid = std::isfinite(fit.alpha) && std::isfinite(fit.beta);
    return fit;
}

} // namespace skerry::bench
