// SPDX-License-Identifier: BSD-3-Clause
// Draws the five graphs of the paper Coduin 2016 (listed in paths.cpp), each as a panel. Axes are linear. Each core has
// a dot at each size, and a line connects the means of all cores. In graph 3, for which all cores act at once, each
// core has a line instead. Diamonds at the right edge are the cells of the paper's table. A sixth panel enlarges the
// left part of graph 2.
#include "chip/paths.hpp"

#include "report/svg.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace skerry::bench {

namespace {

using svg::Axis;
using svg::label;
using svg::line;
using svg::Place;

constexpr double panel_width = 520, panel_height = 300, left = 76, top = 80, gap_x = 104, gap_y = 136, margin = 36;
constexpr double graph_bytes = 2048, enlarged_bytes = 256;
constexpr double mark_height = 15;
constexpr const char *paper_colour = "#444", *our_colour = "#56b4e9";
constexpr const char *dashes = " stroke-dasharray=\"5 3\"", *faint = " fill-opacity=\"0.45\"";

// A size that a vertical line marks in a panel. `paper` is true if the size is from the paper Coduin 2016, and false if
// it is from our measurement. If `bytes` is NaN, there is no such size, and nothing is drawn.
struct Mark {
    std::string text;
    double bytes;
    bool paper;
};

struct Panel {
    PathGraph graph;
    double to_bytes;
    std::vector<Mark> marks;
};

struct Frame {
    Axis x, y;
};

const char *colour_of(const PathCurve &curve) {
    const std::string label = curve.label;
    const size_t index = label == "core reads"              ? 3
                         : label == "DMA reads"             ? 4
                         : label == "DMA writes"            ? 2
                         : label == "core writes, no burst" ? 5
                                                            : 0;
    return svg::colours[index];
}

double value_of(const ChipFigures &f, const PathGraph &graph, size_t bytes, double cycles) {
    return graph.cycles ? cycles : path_megabytes(f, bytes, cycles);
}

std::string core_name(size_t pe) {
    return fmt::format("core in row {}, column {}", pe / 4, pe % 4);
}

double highest(const ChipFigures &f, const Panel &panel) {
    double most = 0;
    for (const PathCurve &curve : panel.graph.curves) {
        if (!panel.graph.cycles) most = std::max(most, curve.paper);
        for (const size_t bytes : path_sizes(f, curve)) {
            const ChipCycles *cycles = path_cycles(f, curve, bytes);
            if (static_cast<double>(bytes) <= panel.to_bytes)
                most = std::max(most,
                                value_of(f, panel.graph, bytes, panel.graph.cycles ? cycles->most() : cycles->least()));
        }
    }
    return most;
}

std::string draw_grid(const Panel &panel, const Frame &frame) {
    const auto &[x, y] = frame;
    std::string text;
    for (const double tick : y.ticks()) {
        text += line(x.from, y.place(tick), x.to, y.place(tick), "#e3e3e3");
        text += label(x.from - 6, y.place(tick) + 4, "end", 11, fmt::format("{:g}", tick));
    }
    for (double bytes = 0; bytes <= panel.to_bytes; bytes += panel.to_bytes / 8) {
        text += line(x.place(bytes), y.from, x.place(bytes), y.to, "#e3e3e3");
        text += label(x.place(bytes), y.from + 16, "middle", 11, fmt::format("{:g}", bytes));
    }
    text += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555\"/>\n",
                        x.from, y.to, panel_width, panel_height);
    text += label(x.from, y.to - 46, "start", 14, panel.graph.title, " font-weight=\"bold\"");
    text += label((x.from + x.to) / 2, y.from + 34, "middle", 11,
                  panel.graph.curves[0].busy ? "bytes; at the right a core's row and column" : "bytes");
    return text + label(x.from - 6, y.to - 10, "end", 11, panel.graph.cycles ? "cycles" : "MB/s");
}

std::string draw_legend(const Panel &panel, const Frame &frame) {
    std::string text;
    const double y = frame.y.to - 26;
    double x = frame.x.from;
    for (const PathCurve &curve : panel.graph.curves) {
        text += line(x, y, x + 18, y, colour_of(curve), " stroke-width=\"3\"");
        text += label(x + 23, y + 4, "start", 11, curve.label);
        x += 36 + 6 * static_cast<double>(std::string_view(curve.label).size());
    }
    return text;
}

// Draws one line through the means of all cores. If all cores act at once, draws a line for each core instead. In this
// case a core's speed depends on its place on the chip.
std::string draw_curve(const ChipFigures &f, const Panel &panel, const PathCurve &curve, const Frame &frame) {
    const auto &[x, y] = frame;
    std::string dots;
    std::vector<Place> means;
    std::vector<std::vector<Place>> cores(16);
    for (const size_t bytes : path_sizes(f, curve)) {
        if (static_cast<double>(bytes) > panel.to_bytes) continue;
        const ChipCycles *cycles = path_cycles(f, curve, bytes);
        const double across = x.place(static_cast<double>(bytes));
        means.push_back({across, y.place(value_of(f, panel.graph, bytes, cycles->mean()))});
        for (size_t pe = 0; pe < cycles->of_pes.size(); ++pe) {
            const Place at{across, y.place(value_of(f, panel.graph, bytes, cycles->of_pes[pe]))};
            dots += svg::dot(at, 2, colour_of(curve), faint);
            if (pe < cores.size()) cores[pe].push_back(at);
        }
    }
    std::string lines;
    if (!curve.busy) lines = svg::polyline(means, colour_of(curve));
    else
        for (size_t pe = 0; pe < cores.size(); ++pe)
            lines += svg::group(core_name(pe), svg::polyline(cores[pe], colour_of(curve), " stroke-opacity=\"0.6\""));
    return svg::group(curve.label, lines + dots);
}

// Places texts at the right edge. If a text would overlap another text, moves it. If it is not `needed`, leaves it out
// instead.
class RightLabels {
  public:
    explicit RightLabels(double at) : x(at) {
    }
    std::string add(double y, const std::string &text, bool needed) {
        constexpr double height = 11;
        const auto taken = [this](double at) {
            return std::any_of(places.begin(), places.end(),
                               [at](double other) { return std::abs(other - at) < height; });
        };
        if (taken(y) && !needed) return "";
        double at = y;
        for (double step = 1; taken(at); ++step) at = y + (std::fmod(step, 2) > 0 ? -step : step);
        places.push_back(at);
        return label(x + 10, at + 4, "start", 10, text);
    }

  private:
    double x;
    std::vector<double> places;
};

// Draws the cells of Coduin's table at the right edge of a panel, because these cells are for large blocks. If all
// cores act at once, also writes each core's name beside the end of its line.
std::string draw_right_edge(const ChipFigures &f, const Panel &panel, const Frame &frame) {
    std::string text;
    RightLabels labels(frame.x.to);
    for (const PathCurve &curve : panel.graph.curves) {
        const double x = frame.x.to, y = frame.y.place(curve.paper);
        text += fmt::format("<path d=\"M{0:.1f},{1:.1f} l6,6 l-6,6 l-6,-6 z\" fill=\"white\" stroke=\"{2}\" "
                            "stroke-width=\"1.8\"><title>Coduin: {3}, {4:g} MB/s</title></path>\n",
                            x, y - 6, colour_of(curve), curve.label, curve.paper);
        text += labels.add(y, fmt::format("{:g}", curve.paper), true);
    }
    for (const PathCurve &curve : panel.graph.curves) {
        const ChipCycles *cycles = path_cycles(f, curve, static_cast<size_t>(panel.to_bytes));
        if (!curve.busy || cycles == nullptr) continue;
        for (size_t pe = 0; pe < cycles->of_pes.size(); ++pe) {
            const double speed = path_megabytes(f, static_cast<size_t>(panel.to_bytes), cycles->of_pes[pe]);
            text += labels.add(frame.y.place(speed), fmt::format("core {},{}", pe / 4, pe % 4), false);
        }
    }
    return text;
}

// Draws the marks of a panel as vertical lines. The lines of the paper's sizes are dashed. The texts begin at the top,
// one below the other. The texts have a white outline, because lines cross them.
std::string draw_marks(const Panel &panel, const Frame &frame) {
    std::string lines, texts;
    double y = frame.y.to + 16;
    for (const Mark &mark : panel.marks) {
        if (std::isnan(mark.bytes)) continue;
        const double x = frame.x.place(mark.bytes);
        const bool right = mark.bytes > 0.7 * panel.to_bytes; // so that the text stays inside the panel
        lines += line(x, frame.y.from, x, y - 10, mark.paper ? paper_colour : our_colour, mark.paper ? dashes : "");
        texts += label(right ? x - 5 : x + 5, y, right ? "end" : "start", 10, mark.text,
                       " stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\"");
        y += mark_height;
    }
    return lines + texts;
}

std::string draw_panel(const ChipFigures &f, const Panel &panel, double origin_x, double origin_y) {
    // The scale leaves space above the curves for the text of the marks.
    const double height = panel_height - mark_height * static_cast<double>(panel.marks.size());
    const double most = 1.06 * highest(f, panel) * panel_height / height;
    const Frame frame{{0, panel.to_bytes, origin_x, origin_x + panel_width, svg::Scale::linear},
                      {0, most, origin_y + panel_height, origin_y, svg::Scale::linear}};
    std::string text = draw_grid(panel, frame) + draw_legend(panel, frame) + draw_marks(panel, frame);
    for (const PathCurve &curve : panel.graph.curves) text += draw_curve(f, panel, curve, frame);
    if (!panel.graph.cycles) text += draw_right_edge(f, panel, frame);
    return svg::group(panel.graph.title, text);
}

double mean_knee(const ChipFigures &f) {
    const std::vector<double> knees = path_knees(f);
    return knees.empty() ? std::nan("")
                         : std::accumulate(knees.begin(), knees.end(), 0.0) / static_cast<double>(knees.size());
}

// Returns the marks of graph 5 (writes to a core) if `to_a_core` is true. If not, returns those of graph 2 (writes to
// external memory). The first mark is the paper's figure, the others are our figures.
std::vector<Mark> break_even_marks(const ChipFigures &f, bool to_a_core) {
    std::vector<Mark> marks;
    for (const PathBreakEven &row : path_break_evens(f)) {
        if (row.paper == 0 || to_a_core != (std::string_view(row.core) == "turns_core_write")) continue;
        if (marks.empty())
            marks.push_back({fmt::format("Coduin: DMA pays from about {:g}", row.paper), row.paper, true});
        const char *kind = to_a_core                                             ? ""
                           : std::string_view(row.core) == "turns_outside_write" ? ", burst"
                                                                                 : ", no burst";
        marks.push_back(
            {fmt::format("core moves {:.0f} while DMA starts{}", row.during_start, kind), row.during_start, false});
        if (!std::isnan(row.faster_from))
            marks.push_back({fmt::format("DMA faster from {:.0f}{}", row.faster_from, kind), row.faster_from, false});
    }
    return marks;
}

std::vector<Panel> make_panels(const ChipFigures &f) {
    const std::vector<PathGraph> &graphs = path_graphs();
    Panel enlarged{graphs[1], enlarged_bytes, break_even_marks(f, false)};
    enlarged.graph.title = "2, enlarged: up to 256 bytes";
    const double knee = mean_knee(f);
    enlarged.marks.insert(enlarged.marks.begin(), {{"Coduin: slope changes around 70", 70, true},
                                                   {fmt::format("here: {:.0f}, mean", knee), knee, false}});
    return {{graphs[0], graph_bytes, {}}, {graphs[1], graph_bytes, {}},
            {graphs[2], graph_bytes, {}}, enlarged,
            {graphs[3], graph_bytes, {}}, {graphs[4], graph_bytes, break_even_marks(f, true)}};
}

} // namespace

void write_chip_plot(const ChipFigures &f, const std::string &file) {
    const std::vector<Panel> panels = make_panels(f);
    std::string text = label(left, 24, "start", 13,
                             fmt::format("The graphs of Coduin (2016) on {}, simulated, {:g} MHz. A dot: one of "
                                         "16 cores. A diamond: Coduin's table.",
                                         f.machine, f.megahertz));
    for (size_t i = 0; i < panels.size(); ++i)
        text += draw_panel(f, panels[i], left + (i % 2 ? panel_width + gap_x : 0),
                           top + margin / 2 + static_cast<double>(i / 2) * (panel_height + gap_y));
    svg::write(file, left + 2 * panel_width + gap_x + margin + 12,
               top + static_cast<double>((panels.size() + 1) / 2) * (panel_height + gap_y), text);
}

} // namespace skerry::bench
