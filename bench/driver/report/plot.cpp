// SPDX-License-Identifier: BSD-3-Clause
#include "report/plot.hpp"

#include "message.hpp"
#include "report/svg.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <map>

namespace skerry::bench {

namespace {

using svg::Axis;
using svg::colours;
using svg::label;
using svg::line;

constexpr double panel_width = 430, panel_height = 260, left = 78, top = 62, gap_x = 96, gap_y = 84;
struct Curve {
    std::string name;
    const char *colour;
    std::vector<Point> points; // `nanoseconds` has the drawn value: a time or a speed
};

struct Panel {
    std::string title;
    bool speed; // true: GB/s; false: time
    std::vector<Curve> curves;
};

std::string tick_label(double value, bool speed) {
    return speed         ? fmt::format("{:g}", value)
           : value < 1e3 ? fmt::format("{:g} ns", value)
           : value < 1e6 ? fmt::format("{:g} us", value / 1e3)
                         : fmt::format("{:g} ms", value / 1e6);
}

std::string draw_grid(const Panel &panel, const Axis &x, const Axis &y) {
    std::string text;
    for (const double tick : y.ticks()) {
        text += line(x.from, y.place(tick), x.to, y.place(tick), "#e3e3e3");
        text += label(x.from - 6, y.place(tick) + 4, "end", 11, tick_label(tick, panel.speed));
    }
    for (double bytes = std::exp2(std::ceil(std::log2(x.low))); bytes <= x.high * 1.001; bytes *= 8) {
        text += line(x.place(bytes), y.from, x.place(bytes), y.to, "#e3e3e3");
        text += label(x.place(bytes), y.from + 16, "middle", 11, format_bytes(static_cast<size_t>(bytes)));
    }
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n",
                        x.from, y.to, panel_width, panel_height);
    text += label(x.from, y.to - 10, "start", 14, panel.title, " font-weight=\"bold\"");
    return text + label((x.from + x.to) / 2, y.from + 33, "middle", 11,
                        panel.speed ? "bytes (speed in GB/s)" : "bytes (time of one operation)");
}

std::string draw_curve(const Curve &curve, const Axis &x, const Axis &y) {
    std::vector<svg::Place> places;
    std::string marks;
    for (const Point &point : curve.points) {
        places.push_back({x.place(point.bytes), y.place(point.nanoseconds)});
        marks += svg::dot(places.back(), 2.2, curve.colour);
    }
    return svg::polyline(places, curve.colour, curve.name == limit_name ? " stroke-dasharray=\"5 3\"" : "") + marks;
}

std::string draw_panel(const Panel &panel, double origin_x, double origin_y) {
    double low_x = std::numeric_limits<double>::max(), high_x = 0, low_y = low_x, high_y = 0;
    for (const Curve &curve : panel.curves)
        for (const Point &point : curve.points) {
            low_x = std::min(low_x, point.bytes), high_x = std::max(high_x, point.bytes);
            low_y = std::min(low_y, point.nanoseconds), high_y = std::max(high_y, point.nanoseconds);
        }
    const Axis x{low_x * 0.8, high_x * 1.25, origin_x, origin_x + panel_width};
    const Axis y{low_y * 0.7, high_y * 1.4, origin_y + panel_height, origin_y};
    std::string text = draw_grid(panel, x, y);
    for (auto curve = panel.curves.rbegin(); curve != panel.curves.rend(); ++curve)
        text += draw_curve(*curve, x, y); // our curve is drawn last, above the others
    return text;
}

// Returns two panels, time and speed, for each benchmark that was measured at several sizes.
std::vector<Panel> make_panels(const Report &report, const std::vector<std::string> &names) {
    std::map<std::pair<std::string, int>, std::map<std::string, std::vector<Point>>> series;
    std::vector<std::pair<std::string, int>> order;
    for (const Row &row : report.rows) {
        if (!find_benchmark(row.key.name)->sized) continue;
        const std::pair key{row.key.name, row.key.pes};
        if (!series.contains(key)) order.push_back(key);
        const auto bytes = static_cast<double>(row.key.bytes);
        series[key]["skerry"].push_back({bytes, row.ours.median});
        for (const auto &[name, versus] : row.versus) series[key][name].push_back({bytes, versus.theirs.median});
    }
    std::vector<Panel> panels;
    for (const auto &key : order) {
        if (series[key]["skerry"].size() < 2) continue;
        Panel time{fmt::format("{}, {} PEs", key.first, key.second), false, {}};
        Panel speed{time.title, true, {}};
        for (size_t i = 0; i < names.size(); ++i) {
            const std::vector<Point> &points = series[key][names[i]];
            if (points.empty()) continue;
            time.curves.push_back({names[i], colours[i % std::size(colours)], points});
            speed.curves.push_back(time.curves.back());
            for (Point &point : speed.curves.back().points) point.nanoseconds = point.bytes / point.nanoseconds;
        }
        panels.push_back(std::move(time));
        panels.push_back(std::move(speed));
    }
    return panels;
}

std::string draw_legend(const std::vector<std::string> &names) {
    std::string text;
    double x = left;
    for (size_t i = 0; i < names.size(); ++i) {
        text += fmt::format(
            "<line x1=\"{0:.1f}\" y1=\"22\" x2=\"{1:.1f}\" y2=\"22\" stroke=\"{2}\" stroke-width=\"3\"{3}/>\n", x,
            x + 26, colours[i % std::size(colours)], names[i] == limit_name ? " stroke-dasharray=\"5 3\"" : "");
        text += label(x + 32, 26, "start", 13, names[i] == limit_name ? "this machine's limit" : names[i]);
        x += 70 + 8 * static_cast<double>(names[i] == limit_name ? 20 : names[i].size());
    }
    return text;
}

} // namespace

void write_plot(const Report &report, const std::string &file) {
    std::vector<std::string> names = opponent_names(report);
    names.insert(names.begin(), "skerry");
    const std::vector<Panel> panels = make_panels(report, names);
    if (panels.empty()) throw Failure(exit_usage, "--plot: nothing was measured at more than one size");
    const double width = left + 2 * panel_width + gap_x + 24;
    const double height = top + static_cast<double>(panels.size() / 2) * (panel_height + gap_y);
    std::string text = draw_legend(names);
    for (size_t i = 0; i < panels.size(); ++i)
        text += draw_panel(panels[i], left + (i % 2 ? panel_width + gap_x : 0),
                           top + static_cast<double>(i / 2) * (panel_height + gap_y));
    svg::write(file, width, height, text);
}

} // namespace skerry::bench
