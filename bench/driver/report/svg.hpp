// SPDX-License-Identifier: BSD-3-Clause
// Declares the elements of SVG files that all plots share: text, lines, curves, and axes with logarithmic or linear
// scales.
#pragma once

#include <string>
#include <vector>

namespace skerry::bench::svg {

// The colours of curves. They differ in hue and lightness, so that colour-blind readers can distinguish them too.
inline constexpr const char *colours[] = {"#0072b2", "#8a8a8a", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"};

enum class Scale { logarithmic, linear };

struct Axis {
    double low, high, from, to; // `low` and `high` are values, `from` and `to` are their places in pixels
    Scale scale = Scale::logarithmic;
    double place(double value) const; // in pixels
    std::vector<double> ticks() const;
};

struct Place {
    double x, y; // pixels
};

// These functions return an element. `more` has further attributes of the element, with a blank before each.
std::string label(double x, double y, const char *anchor, int size, const std::string &text, const char *more = "");
std::string line(double x1, double y1, double x2, double y2, const char *colour, const char *more = "");
std::string dot(Place at, double radius, const char *colour, const char *more = "");
std::string polyline(const std::vector<Place> &places, const char *colour, const char *more = "");
// Groups elements. Viewers show the title of the group while the mouse pointer is on one of its elements.
std::string group(const std::string &title, const std::string &elements);

// Writes the elements into one file, for `--plot`. Width and height are in pixels. Throws Failure if the file cannot be
// written.
void write(const std::string &file, double width, double height, const std::string &elements);

} // namespace skerry::bench::svg
