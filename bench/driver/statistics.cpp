// SPDX-License-Identifier: BSD-3-Clause
// Computes medians, quartiles, fitted lines and knees (sizes at which the slope changes). fit_line minimizes the
// squares of the relative errors (weights 1 / time squared). The largest size is about a million times the smallest.
// Without weights the largest sizes alone would determine the line, and the constant part alpha would have no meaning.
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace skerry::bench {

namespace {

double quantile(const std::vector<double> &sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// A line by least squares, for find_knee. All sizes have the same weight in this line, because the sizes around a knee
// do not differ much.
struct Line {
    double alpha, beta, residual;
};

Line plain_line(std::span<const Point> points) {
    const auto count = static_cast<double>(points.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const Point &point : points) {
        x += point.bytes / count;
        y += point.nanoseconds / count;
    }
    for (const Point &point : points) {
        xx += (point.bytes - x) * (point.bytes - x);
        xy += (point.bytes - x) * (point.nanoseconds - y);
    }
    Line line{y - xy / xx * x, xy / xx, 0};
    for (const Point &point : points) {
        const double error = line.alpha + line.beta * point.bytes - point.nanoseconds;
        line.residual += error * error;
    }
    return line;
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

// Tries each division of the points into smaller and larger sizes, with a line through each part. Takes the division
// for which the two lines have the smallest sum of squared errors.
Knee find_knee(const std::vector<Point> &points) {
    Knee knee;
    double least = std::numeric_limits<double>::max();
    for (size_t count = 2; count + 2 <= points.size(); ++count) {
        const std::span all(points);
        const Line before = plain_line(all.first(count)), behind = plain_line(all.subspan(count));
        const double residual = before.residual + behind.residual;
        if (!(residual < least)) continue;
        least = residual;
        knee = {(before.alpha - behind.alpha) / (behind.beta - before.beta), before.beta, behind.beta, false};
    }
    knee.valid = !points.empty() && knee.bytes > points.front().bytes && knee.bytes < points.back().bytes;
    return knee;
}

double break_even(const std::vector<Point> &first, const std::vector<Point> &second) {
    double from = std::nan("");
    for (size_t i = std::min(first.size(), second.size()); i-- > 0;) {
        const double behind = second[i].nanoseconds - first[i].nanoseconds;
        if (behind >= 0) {
            from = first[i].bytes;
            continue;
        }
        if (std::isnan(from)) return from;
        const double ahead = second[i + 1].nanoseconds - first[i + 1].nanoseconds;
        return first[i].bytes + (first[i + 1].bytes - first[i].bytes) * behind / (behind - ahead);
    }
    return from;
}

double bytes_within(const std::vector<Point> &points, double nanoseconds) {
    for (size_t i = 1; i < points.size(); ++i) {
        const Point &low = points[i - 1], &high = points[i];
        if (low.nanoseconds <= nanoseconds && nanoseconds < high.nanoseconds)
            return low.bytes +
                   (high.bytes - low.bytes) * (nanoseconds - low.nanoseconds) / (high.nanoseconds - low.nanoseconds);
    }
    return std::nan("");
}

} // namespace skerry::bench
