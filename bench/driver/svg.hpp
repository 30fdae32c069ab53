// SPDX-License-Identifier: BSD-3-Clause
// The elements of an SVG file that the plots share: text, lines, curves, axes with logarithmic or linear scales.
#pragma once

#include <string>
#include <vector>

namespace skerry::bench::svg {

// Told apart by hue and lightness, also by eyes that see no red or green.
inline constexpr const char *colours[] = {"#0072b2", "#8a8a8a", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

enum class Scale { logarithmic, linear };

struct Axis {
    double low, high, from, to; // values and pixels
    Scale scale = Scale::logarithmic;
    double place(double value) const; // in pixels
    std::vector<double> ticks() const;
};

struct Place {
    double x, y; // pixels
};

// `more`: further attributes of the element, with a blank before them.
std::string label(double x, double y, const char *anchor, int size, const std::string &text, const char *more = "");
std::string line(double x1, double y1, double x2, double y2, const char *colour, const char *more = "");
std::string dot(Place at, double radius, const char *colour, const char *more = "");
std::string polyline(const std::vector<Place> &places, const char *colour, const char *more = "");
// Groups elements; viewers show the title beside the pointer.
std::string group(const std::string &title, const std::string &elements);

// Writes the elements as one file of so many pixels, for `--plot`. Throws Failure when it cannot be written.
void write(const std::string &file, double width, double height, const std::string &elements);

} // namespace skerry::bench::svg
