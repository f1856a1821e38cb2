#include "svg_picture.h"

#include "buffered_text.h"
#include "markup.h"
#include "svg_style.h"

#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace sfpu::views {

using namespace probe;

namespace {

// Sizes in user units, which are pixels at 100 per cent.
constexpr int margin = 16, label_width = 58, column_width = 52, gap = 2;
constexpr int summary_height = 18, title_height = 34, band_height = 18, axis_height = 18, issue_height = 20;
constexpr int box_height = 46, text_pitch = 13, line_pitch = 5, struck_height = 15, lane_gap = 5;
constexpr int life_height = 15, life_pitch = 18;
constexpr int legend_pitch = 22, sample_width = 30;
constexpr double legend_font = 11;

/// Gives each interval the lowest shelf on which it touches no other.
class shelves {
public:
    unsigned place(cycles begin, cycles end) {
        const auto is_free = [begin](cycles taken) { return taken < begin; };
        const auto found = std::find_if(taken_until_.begin(), taken_until_.end(), is_free);
        const auto index = static_cast<unsigned>(found - taken_until_.begin());
        if (found == taken_until_.end()) taken_until_.push_back(end);
        else *found = end;
        return index;
    }
    unsigned count() const { return static_cast<unsigned>(taken_until_.size()); }

private:
    std::vector<cycles> taken_until_;
};

class drawing {
public:
    drawing(const svg_picture& picture, std::ostream& out) : picture_(picture), out_(out) { arrange(); }
    void draw();

private:
    struct lane {
        isa::sub_unit unit;
        const char* title;
        int top = 0, height = 0;
        unsigned lines = 0;     ///< shelves of latency lines below the boxes
        unsigned instances = 1; ///< boxes that begin in one cycle stand below each other
        bool has_struck = false;

        int boxes_height() const { return static_cast<int>(instances) * (box_height + 2 * gap) - 2 * gap; }
    };

    /// Numbers what happens in the same cycle: 0, 1, ...
    class crowd {
    public:
        unsigned place(cycles at) {
            const unsigned index = taken_[at.count()]++;
            most_ = std::max(most_, index + 1);
            return index;
        }
        unsigned most() const { return most_; }

    private:
        std::map<std::int64_t, unsigned> taken_;
        unsigned most_ = 1;
    };

    enum class sample {
        issued,
        scheduled,
        latency,
        holds,
        struck,
        stall,
        note,
        arrow,
        life,
        read,
        dead,
        row
    };
    struct legend_item {
        sample kind;
        std::string label;
        std::int64_t row; ///< for its colour
        double x = 0, y = 0;
    };

    /// Values of one register stand on several shelves if they share it, each in some lanes.
    struct register_lane {
        int top = 0, height = 0;
    };

    void arrange();
    void arrange_lanes(int& y);
    void arrange_registers(int& y);
    void collect_legend();
    void collect_svg_row_colours();
    std::string row_name(std::int64_t row) const;
    void arrange_legend(int& y);

    void draw_head();
    void draw_background();
    void draw_row_band();
    void draw_issue();
    void draw_lanes();
    void draw_box(const svg_picture::box& box, const lane& where, unsigned instance);
    void draw_struck(const svg_picture::box& box, const lane& where);
    void draw_latency(const svg_picture::box& box, const lane& where, unsigned shelf);
    void draw_arrows();
    void draw_arrow(double x1, double y1, double x2, double y2);
    void draw_lives();
    void draw_life(const svg_picture::life& life, int top);
    void draw_legend();
    void draw_sample(const legend_item& item);

    static bool takes_instance(const svg_picture::box& box) { return !box.discarded && !box.is_nop; }
    static bool is_word(const svg_picture::issue_mark& mark) {
        return mark.kind != svg_picture::mark_kind::stall;
    }
    static bool is_pipelined(const svg_picture::box& box) {
        return box.end > box.begin && !box.holds_unit && !box.discarded && !box.is_nop;
    }
    /// Left edge of a cycle's column, kept inside the picture.
    int x_of(cycles at) const {
        const auto offset = std::clamp((at - picture_.first).count(), std::int64_t{0}, columns_);
        return margin + label_width + static_cast<int>(offset) * column_width;
    }
    int middle_of(cycles at) const { return x_of(at) + column_width / 2; }
    int right_edge() const { return x_of(picture_.last + one_cycle); }

    void text(double x, double y, std::string_view classes, std::string_view content, double size = 0) {
        out_.print(FMT_COMPILE("<text class=\"{}\" x=\"{:g}\" y=\"{:g}\""), classes, x, y);
        if (size > 0) out_.print(FMT_COMPILE(" font-size=\"{:.1f}\""), size);
        out_.print(FMT_COMPILE(">{}</text>"), markup_text(content));
    }
    void rect(std::string_view classes, double x, double y, double width, double height, double radius = 0) {
        out_.print(FMT_COMPILE("<rect class=\"{}\" x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\""),
                   classes, x, y, width, height);
        if (radius > 0) out_.print(FMT_COMPILE(" rx=\"{:g}\""), radius);
        out_.append("/>");
    }
    void line(std::string_view classes, double x1, double y1, double x2, double y2) {
        out_.print(FMT_COMPILE("<line class=\"{}\" x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\"/>"),
                   classes, x1, y1, x2, y2);
    }
    void open_group(std::string_view tooltip) {
        out_.print(FMT_COMPILE("<g><title>{}</title>"), markup_text(tooltip));
    }
    void close_group() { out_.append("</g>\n"); }
    /// An area of slanted lines: issue is held.
    void hatch(double x, double y, double width, double height);

    const svg_picture& picture_;
    buffered_text out_;
    std::int64_t columns_ = 0;
    std::vector<lane> lanes_;
    std::map<unsigned, register_lane> registers_; ///< by index of the register
    std::vector<unsigned> life_shelves_;          ///< of picture_.lives
    int band_top_ = 0, axis_top_ = 0, issue_top_ = 0, lanes_bottom_ = 0, registers_bottom_ = 0;
    int issue_height_ = issue_height; ///< a line for each word that is issued in one cycle
    std::vector<legend_item> legend_;
    int width_ = 0, height_ = 0;
};

void drawing::arrange() {
    constexpr int narrowest = 10; // columns, so that title and legend have room
    columns_ = (picture_.last - picture_.first).count() + 1;
    width_ = 2 * margin + label_width +
             static_cast<int>(std::max<std::int64_t>(columns_, narrowest)) * column_width;
    band_top_ = margin + title_height + (picture_.summary.empty() ? 0 : summary_height);
    axis_top_ = band_top_ + band_height + 2;
    issue_top_ = axis_top_ + axis_height;
    crowd words;
    for (const svg_picture::issue_mark& mark : picture_.issue)
        if (is_word(mark)) words.place(mark.at);
    issue_height_ = issue_height * static_cast<int>(words.most());
    int y = issue_top_ + issue_height_ + lane_gap;
    arrange_lanes(y);
    lanes_bottom_ = y;
    arrange_registers(y);
    registers_bottom_ = y;
    collect_legend();
    arrange_legend(y);
    height_ = y + margin;
}

void drawing::arrange_lanes(int& y) {
    for (const unit_column& unit : pipeline_columns) {
        lane l{unit.unit, unit.title};
        shelves lines;
        crowd instances;
        for (const svg_picture::box& box : picture_.boxes) {
            if (box.unit != unit.unit) continue;
            l.has_struck |= box.discarded;
            if (takes_instance(box)) instances.place(box.begin);
            if (is_pipelined(box)) lines.place(box.begin, box.end);
        }
        l.lines = lines.count();
        l.instances = instances.most();
        l.top = y;
        l.height = l.boxes_height() + 2 * gap + static_cast<int>(l.lines) * line_pitch +
                   (l.has_struck ? struck_height : 0);
        y += l.height + lane_gap;
        lanes_.push_back(l);
    }
}

void drawing::arrange_registers(int& y) {
    if (picture_.lives.empty()) return;
    y += 8;
    std::map<unsigned, shelves> values;
    for (const svg_picture::life& life : picture_.lives)
        life_shelves_.push_back(values[life.index].place(life.visible_from, life.last()));
    for (const auto& [index, shelved] : values) {
        registers_[index] = {y, static_cast<int>(shelved.count()) * life_pitch - (life_pitch - life_height)};
        y += registers_[index].height + life_pitch - life_height;
    }
}

/// What occurs, and no more. Samples of instructions take the colour of the first row.
void drawing::collect_legend() {
    const auto& boxes = picture_.boxes;
    const auto any_box = [&](auto test) { return std::any_of(boxes.begin(), boxes.end(), test); };
    const auto any_life = [&](bool is_read) {
        return std::any_of(picture_.lives.begin(), picture_.lives.end(),
                           [=](const svg_picture::life& life) { return life.reads.empty() != is_read; });
    };
    const bool any_stall = std::any_of(picture_.issue.begin(), picture_.issue.end(), [](const auto& mark) {
        return mark.kind == svg_picture::mark_kind::stall;
    });
    std::int64_t row = -1;
    for (const svg_picture::box& box : boxes)
        if (row < 0) row = box.row;

    const auto add = [&](bool occurs, sample kind, const char* label) {
        if (occurs) legend_.push_back({kind, label, row});
    };
    add(true, sample::issued, "issued");
    add(any_box([](const auto& box) { return box.scheduled; }), sample::scheduled,
        "scheduled by SFPLOADMACRO");
    add(any_box(is_pipelined), sample::latency, "cycles until the result is visible");
    add(any_box([](const auto& box) { return box.holds_unit && !box.discarded && box.end > box.begin; }),
        sample::holds, "two cycles, keeps others out");
    add(any_box([](const auto& box) { return box.discarded; }), sample::struck, "issued, but discarded");
    add(any_stall, sample::stall, "issue held");
    add(!picture_.notes.empty(), sample::note, "diagnostic");
    add(!picture_.arrows.empty(), sample::arrow, "scheduled by, waits for");
    add(any_life(true), sample::life, "value, until its last read");
    add(any_life(true), sample::read, "read");
    add(any_life(false), sample::dead, "value that nobody read");
    collect_svg_row_colours();
}

/// "3", or of rows that nobody can tell apart "2-3".
std::string drawing::row_name(std::int64_t row) const {
    const std::string first = fmt::format("{}", row);
    return picture_.rows_together > 1 ? fmt::format("{}-{}", first, row + picture_.rows_together - 1) : first;
}

void drawing::collect_svg_row_colours() {
    constexpr std::size_t most_listed = 3;
    std::array<std::set<std::int64_t>, svg_row_colours + 1> rows;
    for (const svg_picture::box& box : picture_.boxes) rows[svg_colour_of(box.row)].insert(box.row);
    for (const svg_picture::life& life : picture_.lives) rows[svg_colour_of(life.row)].insert(life.row);
    std::vector<legend_item> items;
    for (unsigned i = 0; i < svg_row_colours; ++i) {
        if (rows[i].empty()) continue;
        std::vector<std::string> names;
        for (const std::int64_t row : rows[i]) names.push_back(row_name(row));
        const std::string label =
            (names.size() == 1 && picture_.rows_together == 1 ? "row " : "rows ") +
            (names.size() <= most_listed ? fmt::format("{}", fmt::join(names, ", "))
                                         : fmt::format("{}, {}, ... {}", names[0], names[1], names.back()));
        items.push_back({sample::row, label, *rows[i].begin()});
    }
    const auto by_row = [](const legend_item& a, const legend_item& b) { return a.row < b.row; };
    std::sort(items.begin(), items.end(), by_row);
    if (!rows[svg_no_row_colour].empty()) items.push_back({sample::row, "no row (set-up, tail)", -1});
    legend_.insert(legend_.end(), items.begin(), items.end());
}

void drawing::arrange_legend(int& y) {
    double x = margin;
    y += 16;
    const legend_item* previous = nullptr;
    for (legend_item& item : legend_) {
        const double width = sample_width + 8 + svg_width_of(item.label, legend_font) + 18;
        const bool rows_begin = item.kind == sample::row && previous && previous->kind != sample::row;
        previous = &item;
        if (x > margin && (rows_begin || x + width > width_ - margin)) {
            x = margin;
            y += legend_pitch;
        }
        item.x = x;
        item.y = y;
        x += width;
    }
    y += legend_pitch;
}

void drawing::draw() {
    draw_head();
    draw_background();
    draw_row_band();
    draw_issue();
    draw_lanes();
    draw_arrows();
    draw_lives();
    draw_legend();
    out_.append("</svg>\n");
    out_.flush();
}

void drawing::draw_head() {
    const std::string title = markup_text(picture_.title), subtitle = markup_text(picture_.subtitle);
    out_.print(FMT_COMPILE(
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
                   "{1}\" role=\"img\">\n<title>{2}, {3}</title>\n"),
               width_, height_, title, subtitle);
    out_.append("<style>");
    out_.append(svg_style_sheet());
    out_.append("</style>\n");
    rect("bg", 0, 0, width_, height_);
    text(margin, margin + 14, "ti", picture_.title);
    text(margin + svg_width_of(picture_.title, 15, true) + 14, margin + 14, "st mu", picture_.subtitle);
    if (!picture_.summary.empty()) text(margin, margin + 14 + summary_height, "st", picture_.summary);
    out_.append("\n");
}

void drawing::draw_background() {
    rect("lane", x_of(picture_.first), issue_top_, right_edge() - x_of(picture_.first), issue_height_);
    for (const lane& l : lanes_) {
        rect("lane", x_of(picture_.first), l.top, right_edge() - x_of(picture_.first), l.height);
        text(margin, l.top + gap + l.boxes_height() / 2.0 + 4, "l un", l.title);
    }
    text(margin, issue_top_ + 14, "l un", "Issue");
    for (cycles at = picture_.first; at <= picture_.last + one_cycle; ++at)
        line("gr", x_of(at), axis_top_ + axis_height - 3, x_of(at), registers_bottom_);
    out_.append("\n");
    text(margin, axis_top_ + 12, "l ax mu", "cycle");
    for (cycles at = picture_.first; at <= picture_.last; ++at)
        text(middle_of(at), axis_top_ + 12, "ax mu", fmt::format("{}", at.count()));
    out_.append("\n");
}

/// One stretch for each kernel row whose words are issued one after the other.
void drawing::draw_row_band() {
    struct stretch {
        cycles begin, end;
        std::int64_t row;
    };
    std::vector<stretch> stretches;
    for (const svg_picture::issue_mark& mark : picture_.issue) {
        if (!stretches.empty() && stretches.back().row == mark.row) stretches.back().end = mark.at;
        else stretches.push_back({mark.at, mark.at, mark.row});
    }
    for (const stretch& s : stretches) {
        if (s.row < 0) continue;
        const unsigned colour = svg_colour_of(s.row);
        const int x = x_of(s.begin), width = x_of(s.end + one_cycle) - x;
        rect(fmt::format("b{}", colour), x + 1, band_top_, width - 2, band_height, 3);
        text(x + width / 2.0, band_top_ + 13, fmt::format("op t{}", colour),
             fmt::format("row{} {}", picture_.rows_together > 1 ? "s" : "", row_name(s.row)), 11);
    }
    out_.append("\n");
}

void drawing::hatch(double x, double y, double width, double height) {
    constexpr double step = 6;
    for (double at = 0; at + height <= width; at += step) line("hl", x + at, y + height, x + at + height, y);
}

void drawing::draw_issue() {
    crowd words;
    for (const svg_picture::issue_mark& mark : picture_.issue) {
        open_group(mark.tooltip);
        const int x = x_of(mark.at);
        const int y =
            issue_top_ + (is_word(mark) ? issue_height * static_cast<int>(words.place(mark.at)) : 0);
        const unsigned colour = svg_colour_of(mark.row);
        switch (mark.kind) {
        case svg_picture::mark_kind::word: text(x + column_width / 2.0, y + 14, "sm mu", mark.text); break;
        case svg_picture::mark_kind::front_end:
            rect(fmt::format("iss p{}", colour), x + gap, y + 2, column_width - 2 * gap, issue_height - 4, 3);
            text(x + column_width / 2.0, y + 14, fmt::format("op t{}", colour), mark.text,
                 font_for(mark.text, column_width - 10, true));
            break;
        case svg_picture::mark_kind::stall:
            rect("bg", x + gap, y + 3, column_width - 2 * gap, issue_height - 6);
            hatch(x + gap, y + 3, column_width - 2 * gap, issue_height - 6);
            break;
        }
        close_group();
    }
    for (const svg_picture::note& note : picture_.notes) {
        open_group(note.tooltip);
        const double x = x_of(note.at) + column_width - 12, y = issue_top_ + 4;
        out_.print(FMT_COMPILE("<path class=\"al\" d=\"M{:g} {:g}l5 11h-10z\"/>"), x + 5, y);
        close_group();
    }
}

void drawing::draw_lanes() {
    for (const lane& l : lanes_) {
        shelves lines;
        crowd instances;
        for (const svg_picture::box& box : picture_.boxes) {
            if (box.unit != l.unit) continue;
            open_group(box.tooltip);
            if (box.discarded) draw_struck(box, l);
            else draw_box(box, l, takes_instance(box) ? instances.place(box.begin) : 0);
            if (is_pipelined(box)) draw_latency(box, l, lines.place(box.begin, box.end));
            close_group();
        }
    }
}

void drawing::draw_box(const svg_picture::box& box, const lane& where, unsigned instance) {
    const int x = x_of(box.begin), y = where.top + gap + static_cast<int>(instance) * (box_height + 2 * gap);
    const int width = (box.holds_unit ? x_of(box.end + one_cycle) : x_of(box.begin + one_cycle)) - x;
    const double middle = x + column_width / 2.0, room = column_width - 10;
    if (box.is_nop) {
        text(middle, y + box_height / 2.0 + 4, "sm mu", box.lines[0]);
        return;
    }
    const unsigned colour = svg_colour_of(box.row);
    const std::string ink = box.scheduled ? "on" : fmt::format("t{}", colour);
    rect(box.scheduled ? fmt::format("s{}", colour) : fmt::format("iss p{}", colour), x + gap, y,
         width - 2 * gap, box_height, 4);
    double baseline = y + 14;
    for (const std::string& content : box.lines) {
        const bool is_name = &content == &box.lines.front();
        if (content.empty()) continue;
        text(middle, baseline, is_name ? "op " + ink : ink, content, font_for(content, room, is_name));
        baseline += text_pitch;
    }
    if (box.holds_unit && width > column_width)
        line(fmt::format("hold {}", box.scheduled ? "cap" : fmt::format("k{}", colour)), x + column_width,
             y + 4, x + column_width, y + box_height - 4);
}

void drawing::draw_struck(const svg_picture::box& box, const lane& where) {
    const int x = x_of(box.begin), y = where.top + where.height - struck_height;
    rect("dis", x + gap + 0.5, y + 0.5, column_width - 2 * gap - 1, struck_height - 3, 3);
    text(x + column_width / 2.0, y + 10, "dt", box.lines[0],
         font_for(box.lines[0], column_width - 14, false) * 0.92);
}

void drawing::draw_latency(const svg_picture::box& box, const lane& where, unsigned shelf) {
    const double y = where.top + gap + where.boxes_height() + 3.5 + shelf * line_pitch;
    line(fmt::format("lat k{}", svg_colour_of(box.row)), x_of(box.begin) + gap + 2, y,
         x_of(box.end + one_cycle) - gap - 2, y);
}

void drawing::draw_arrow(double x1, double y1, double x2, double y2) {
    const double bend = (y2 > y1 ? 1 : -1) * 16.0, head = y2 > y1 ? -5 : 5;
    out_.print(FMT_COMPILE("<path class=\"ar\" d=\"M{:g} {:g}C{:g} {:g} {:g} {:g} {:g} {:g}\"/>"), x1, y1, x1,
               y1 + bend, x2, y2 - bend, x2, y2 + head);
    out_.print(FMT_COMPILE("<path class=\"ah\" d=\"M{:g} {:g}l-3.5 {:g}h7z\"/>\n"), x2, y2, head);
}

void drawing::draw_arrows() {
    const auto lane_of = [this](isa::sub_unit unit) {
        return std::find_if(lanes_.begin(), lanes_.end(),
                            [=](const lane& each) { return each.unit == unit; });
    };
    for (const svg_picture::arrow& each : picture_.arrows) {
        const auto from = lane_of(each.from_unit), to = lane_of(each.to_unit);
        const double x1 = middle_of(each.from), x2 = middle_of(each.to);
        if (to == lanes_.end()) draw_arrow(x1, from->top + gap, x2, issue_top_ + issue_height_);
        else draw_arrow(x1, from->top + gap + from->boxes_height(), x2, to->top + gap);
    }
}

void drawing::draw_lives() {
    for (const auto& [index, where] : registers_) {
        rect("lane", x_of(picture_.first), where.top, right_edge() - x_of(picture_.first), where.height);
        text(margin, where.top + 11.5, "l un", fmt::format("L{}", lreg_of(index)));
    }
    for (std::size_t i = 0; i < picture_.lives.size(); ++i) {
        const int top = registers_.at(picture_.lives[i].index).top;
        draw_life(picture_.lives[i], top + static_cast<int>(life_shelves_[i]) * life_pitch);
    }
}

void drawing::draw_life(const svg_picture::life& life, int top) {
    const unsigned colour = svg_colour_of(life.row);
    const int x = x_of(life.visible_from);
    open_group(life.tooltip);
    if (life.reads.empty()) {
        rect(fmt::format("dead k{}", colour), x + gap, top + 2, column_width / 3.0, life_height - 4, 3);
        close_group();
        return;
    }
    const int width = x_of(life.last() + one_cycle) - x;
    rect(fmt::format("iss p{}", colour), x + gap, top + 1, width - 2 * gap, life_height - 2, 4);
    if (life.visible_from >= picture_.first) {
        constexpr double room = column_width - 22;
        text(x + gap + 4, top + 11, fmt::format("l t{}", colour), life.writer,
             std::min(8.5, font_for(life.writer, room, false)));
    }
    for (const cycles at : life.reads)
        if (picture_.first <= at && at <= picture_.last)
            out_.print(FMT_COMPILE("<circle class=\"t{}\" cx=\"{}\" cy=\"{:g}\" r=\"2.6\"/>"), colour,
                       x_of(at) + column_width - 9, top + life_height / 2.0);
    close_group();
}

void drawing::draw_legend() {
    for (const legend_item& item : legend_) {
        draw_sample(item);
        text(item.x + sample_width + 8, item.y + 11, "lg", item.label);
        out_.append("\n");
    }
}

void drawing::draw_sample(const legend_item& item) {
    const unsigned colour = svg_colour_of(item.row);
    const double x = item.x, y = item.y, w = sample_width, h = 14, middle = x + w / 2;
    switch (item.kind) {
    case sample::issued: rect(fmt::format("iss p{}", colour), x, y, w, h, 3); break;
    case sample::scheduled:
    case sample::row: rect(fmt::format("s{}", colour), x, y, w, h, 3); break;
    case sample::latency: line(fmt::format("lat k{}", colour), x + 2, y + h / 2, x + w - 2, y + h / 2); break;
    case sample::holds:
        rect(fmt::format("iss p{}", colour), x, y, w, h, 3);
        line(fmt::format("hold k{}", colour), middle, y + 2, middle, y + h - 2);
        break;
    case sample::struck:
        rect("dis", x + 0.5, y + 0.5, w - 1, h - 1, 3);
        text(middle, y + 10.5, "dt", "abc", 9);
        break;
    case sample::stall: hatch(x, y, w, h); break;
    case sample::note:
        out_.print(FMT_COMPILE("<path class=\"al\" d=\"M{:g} {:g}l5 11h-10z\"/>"), middle, y + 1);
        break;
    case sample::arrow: draw_arrow(x + 4, y, x + w - 8, y + h); break;
    case sample::life: rect(fmt::format("iss p{}", colour), x, y + 1, w, h - 2, 4); break;
    case sample::read:
        out_.print(FMT_COMPILE("<circle class=\"t{}\" cx=\"{:g}\" cy=\"{:g}\" r=\"2.6\"/>"), colour, middle,
                   y + h / 2);
        break;
    case sample::dead: rect(fmt::format("dead k{}", colour), x + w / 4, y + 2, w / 2, h - 4, 3); break;
    }
}

} // namespace

void draw(const svg_picture& picture, std::ostream& out) { drawing(picture, out).draw(); }

} // namespace sfpu::views
