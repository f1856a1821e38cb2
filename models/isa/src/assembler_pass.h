// The assembler: one pass over the lines of a kernel. Lines, instructions and operands are in assembler.cpp,
// directives in assembler_directives.cpp.
#pragma once

#include <sfpu/isa/assembler.h>

#include "assembler_expression.h"
#include "assembler_grammar.h"
#include "setup_words.h"
#include "word_form.h"

#include <sfpu/isa/limits.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfpu::isa {

constexpr std::string_view any_register = "_"; ///< in .template: what the macro gives

/// "; did you mean 'x'?", or nothing if no candidate is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

std::string lower_case(std::string_view text);

/// The line up to its comment.
grammar::slice without_comment(std::string_view line);

/// Whether there is nothing but white space.
bool is_blank(const grammar::slice& code);

/// Cuts a file into lines, lends each to a function and turns its faults into errors with a place.
class line_reader {
public:
    line_reader(const std::string& file, const word_encoding& words) {
        result_.program.file = file;
        result_.program.arch = words.arch;
        result_.program.words = words;
    }

protected:
    template <typename Function>
    void each_line(std::string_view text, Function&& function) {
        while (!text.empty()) {
            const std::string_view one = text.substr(0, text.find('\n'));
            text.remove_prefix(std::min(one.size() + 1, text.size()));
            ++line_;
            line_start_ = one.data();
            const grammar::slice code = without_comment(one);
            if (!is_blank(code)) guarded([&] { function(code); });
        }
    }

    /// Runs a function that may throw a fault; reports whether it did not. A fault without a message follows
    /// from one that has been told.
    template <typename Function>
    bool guarded(Function&& function) {
        try {
            function();
            return true;
        } catch (const grammar::fault& mistake) {
            if (!mistake.message.empty()) error(line_, column_of(mistake.where), mistake.message);
            return false;
        }
    }

    void error(unsigned line, unsigned column, const std::string& message) {
        result_.errors.push_back({result_.program.file, line, column, message});
    }
    unsigned column_of(const char* where) const { return static_cast<unsigned>(where - line_start_) + 1; }

    assembly result_;
    unsigned line_ = 0;
    const char* line_start_ = nullptr;
};

class assembler : line_reader {
public:
    using line_reader::line_reader;
    assembly run(std::string_view text);

private:
    using handler = void (assembler::*)(const grammar::statement&);
    struct directive {
        directive_form form;
        handler handle;
        bool conditional; ///< looked at where .ifarch leaves lines out
    };
    static const directive directives[];
    friend std::vector<directive_form> directive_forms();
    static const directive& find_directive(const grammar::slice& name);

    /// An open .ifarch.
    struct condition {
        unsigned line, column;
        bool holds; ///< and so do those around it
    };

    void run_line(const grammar::slice& code);
    /// The instruction of a .template: what "_" stands for.
    struct template_use {
        unsigned number;
        std::int64_t destination; ///< VD of "_"
        bool through_backdoor;    ///< VD says which template is written
    };
    std::optional<std::uint32_t> instruction_word(const grammar::statement& what,
                                                  const template_use* in_template);
    void run_instruction(const grammar::statement& what) {
        if (const auto found = instruction_word(what, nullptr)) emit(*found);
    }
    void emit(std::uint32_t word) {
        setup_.forget();
        emit_setup({word});
    }
    /// A .gap in front of them stands before the first.
    void emit_setup(const std::vector<std::uint32_t>& words) {
        for (const std::uint32_t word : words) {
            section_->push_back(
                {word, line_, open_gap_.has_value(), static_cast<unsigned>(result_.program.origins.size())});
            open_gap_.reset();
        }
    }
    /// A section, or the file, ends here.
    void end_section();

    // Directives.
    void equ(const grammar::statement& what);
    void note_definition(const std::string& name, const value& meaning);
    void word(const grammar::statement& what);
    void arch(const grammar::statement& what);
    void ifarch(const grammar::statement& what);
    void endif(const grammar::statement& what);
    void config(const grammar::statement& what);
    void apply_setting(std::string_view key, std::string_view text);
    void rows(const grammar::statement& what);
    void peeled(const grammar::statement& what);
    void expect(const grammar::statement& what);
    void allow(const grammar::statement& what);
    void template_write(const grammar::statement& what);
    void macro(const grammar::statement& what);
    void misc(const grammar::statement& what);
    void gap(const grammar::statement& what);
    void origin(const grammar::statement& what);
    void constant(const grammar::statement& what);
    void input(const grammar::statement& what) { place(what, result_.program.inputs); }
    void output(const grammar::statement& what) { place(what, result_.program.outputs); }
    void place(const grammar::statement& what, std::vector<tensor>& tensors);
    void place(const grammar::statement& what, const grammar::placement& given, std::vector<tensor>& tensors);
    void init(const grammar::statement& what);
    void loop(const grammar::statement& what);
    void tail(const grammar::statement& what);

    // Operands and names.
    const operand_list& operands_for(const word_form& form, const grammar::slice& mnemonic,
                                     const std::vector<grammar::argument>& arguments) const;
    void check_destination(const word_form& form, const operand_list& operands,
                           const std::vector<std::int64_t>& values,
                           const std::vector<grammar::argument>& arguments) const;
    std::int64_t operand_value(const word_form& form, const operand& what, const grammar::argument& given,
                               const std::vector<std::int64_t>& before, const template_use* in_template);
    value named_value_of(const word_form& form, const operand& what, const grammar::slice& name,
                         const template_use* in_template) const;
    void refuse_mode_of_another(const word_form& form, const value& found, const grammar::slice& name) const;
    std::int64_t real_immediate(const word_form& form, const operand& what, const grammar::argument& given,
                                double number, const std::vector<std::int64_t>& before) const;
    /// A number of the given range that `what` names in messages. `told_maximum`: the one of messages, if the
    /// caller deals with more.
    std::int64_t number_in(const grammar::argument& given, std::int64_t minimum, std::int64_t maximum,
                           const char* what = "a number",
                           std::optional<std::int64_t> told_maximum = std::nullopt);
    macro_part parse_part(const grammar::group& given, unsigned unit);
    std::int64_t field_value(const grammar::item& field, std::int64_t minimum, std::int64_t maximum,
                             std::optional<std::int64_t> told_maximum = std::nullopt);
    std::int64_t member(const grammar::item& given, std::int64_t maximum,
                        const std::vector<std::string>& names, const std::string& expected) const;
    /// The one argument of a directive, a number of the given range.
    std::int64_t only_number(const grammar::statement& what, std::int64_t minimum, std::int64_t maximum);
    value global_value(const grammar::argument& given);
    /// The value of an operand; a division that leaves a rest gets a remark.
    value evaluated(const grammar::argument& given, const name_lookup& lookup);
    std::optional<value> find_global(std::string_view name) const;
    /// That a name means nothing. Without a message if its definition is wrong, which has been told.
    grammar::fault unknown_name(const grammar::slice& name, const std::string& place,
                                const std::vector<std::string>& candidates) const;
    std::vector<std::string> all_global() const;
    architecture parse_architecture(const grammar::statement& what) const;

    bool skipping() const { return !conditions_.empty() && !conditions_.back().holds; }
    architecture target() const { return result_.program.arch; }
    const word_encoding& words() const { return result_.program.words; }

    std::map<std::string, value, std::less<>> symbols_;
    std::map<std::string, unsigned, std::less<>> symbol_lines_; ///< where each of them got its value
    std::set<std::string, std::less<>> misdefined_;             ///< names whose definitions are wrong
    std::vector<condition> conditions_;
    std::vector<source_word> outside_; ///< words before the first section marker
    std::vector<source_word>* section_ = &outside_;
    setup_writer setup_;
    /// A .gap behind which no word has come yet: its line and column.
    std::optional<std::pair<unsigned, unsigned>> open_gap_;
    unsigned loop_line_ = 0; ///< line of .loop, 0 if there was none
};

} // namespace sfpu::isa
