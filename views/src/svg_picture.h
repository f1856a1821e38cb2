// What the picture of a schedule shows, as plain data, and the function that draws it.
#pragma once

#include <sfpu/probe/observer.h>

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace sfpu::views {

struct svg_picture {
    /// An instruction in a sub-unit. Texts are plain, not yet escaped.
    struct box {
        cycles begin, end; ///< of the latency, inclusive
        isa::sub_unit unit;
        std::int64_t row; ///< kernel row, -1 if none
        bool scheduled, discarded;
        bool holds_unit; ///< nothing else may start in the sub-unit until `end`
        bool is_nop;
        std::array<std::string, 3> lines; ///< name, sources, destination
        std::string tooltip;
    };
    enum class mark_kind { word, front_end, stall };
    struct issue_mark {
        cycles at;
        mark_kind kind;
        std::int64_t row;
        std::string text, tooltip;
    };
    /// A value in a register.
    struct life {
        unsigned index; ///< as register_set counts
        cycles visible_from;
        std::vector<cycles> reads; ///< ascending
        std::int64_t row;
        std::string writer, tooltip;

        cycles last() const { return reads.empty() ? visible_from : reads.back(); }
    };
    /// From an SFPLOADMACRO to what it scheduled, or from what is waited for to a held cycle.
    struct arrow {
        isa::sub_unit from_unit;
        cycles from;
        isa::sub_unit to_unit; ///< front_end: a held cycle
        cycles to;
    };
    struct note {
        cycles at;
        std::string tooltip;
    };

    std::string title, subtitle;
    std::string summary;        ///< a line of its own; may be empty
    cycles first{}, last{-1};   ///< columns
    unsigned rows_together = 1; ///< `row` is the first of so many
    std::vector<box> boxes;
    std::vector<issue_mark> issue;
    std::vector<life> lives;
    std::vector<note> notes;
    std::vector<arrow> arrows;
};

void draw(const svg_picture& picture, std::ostream& out);

} // namespace sfpu::views
