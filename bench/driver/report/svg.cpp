// SPDX-License-Identifier: BSD-3-Clause
#include "report/svg.hpp"

#include "message.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fstream>

namespace skerry::bench::svg {

namespace {

std::string escape(const std::string &text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '&') result += "&amp;";
        else if (letter == '<') result += "&lt;";
        else if (letter == '>') result += "&gt;";
        else if (letter == '"') result += "&quot;";
        else result += letter;
    }
    return result;
}

// Returns the powers of ten in the range as ticks. If the range has few powers of ten, 2 and 5 times each power are
// ticks too.
std::vector<double> logarithmic_ticks(double low, double high) {
    std::vector<double> ticks;
    const bool dense = high / low < 200;
    for (double power = std::pow(10, std::floor(std::log10(low))); power <= high * 1.001; power *= 10)
        for (const double step : {1.0, 2.0, 5.0})
            if ((dense || step == 1.0) && power * step >= low * 0.999 && power * step <= high * 1.001)
                ticks.push_back(power * step);
    return ticks;
}

// Returns ticks with a distance of 1, 2 or 5 times a power of ten. The distance is such that there are four to ten
// steps.
std::vector<double> linear_ticks(double low, double high) {
    const double power = std::pow(10, std::floor(std::log10((high - low) / 4)));
    double step = power;
    for (const double factor : {2.0, 5.0})
        if ((high - low) / 4 >= factor * power) step = factor * power;
    std::vector<double> ticks;
    for (double count = std::ceil(low / step - 1e-9); count * step <= high + 1e-9 * step; ++count)
        ticks.push_back(count * step + 0.0); // + 0.0 makes 0 of -0
    return ticks;
}

} // namespace

double Axis::place(double value) const {
    const double share = scale == Scale::linear ? (value - low) / (high - low)
                                                : (std::log(value) - std::log(low)) / (std::log(high) - std::log(low));
    return from + share * (to - from);
}

std::vector<double> Axis::ticks() const {
    return scale == Scale::linear ? linear_ticks(low, high) : logarithmic_ticks(low, high);
}

std::string label(double x, double y, const char *anchor, int size, const std::string &text, const char *more) {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y,
                       anchor, size, more, escape(text));
}

std::string line(double x1, double y1, double x2, double y2, const char *colour, const char *more) {
    return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"{}/>\n", x1, y1, x2,
                       y2, colour, more);
}

std::string dot(Place at, double radius, const char *colour, const char *more) {
    return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\" fill=\"{}\"{}/>\n", at.x, at.y, radius, colour,
                       more);
}

std::string polyline(const std::vector<Place> &places, const char *colour, const char *more) {
    std::string path;
    for (const Place &place : places) path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", place.x, place.y);
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", path, colour,
                       more);
}

std::string group(const std::string &title, const std::string &elements) {
    return fmt::format("<g><title>{}</title>\n{}</g>\n", escape(title), elements);
}

void write(const std::string &file, double width, double height, const std::string &elements) {
    std::ofstream stream(file, std::ios::binary);
    stream << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" font-family=\"sans-serif\" fill=\"#222\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n{2}</svg>\n",
        width, height, elements);
    stream.close();
    if (!stream) throw Failure(exit_failed, fmt::format("--plot {}: cannot write the file", file));
}

} // namespace skerry::bench::svg
