// Functions in the text of a C++ header, as far as kernel libraries write them.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

struct function_parameter {
    std::string type, name; ///< without const, volatile and attributes; a reference keeps its &
    bool has_default = false, is_const = false;
};

struct function_declaration {
    std::string name, result;
    std::vector<function_parameter> template_parameters, parameters;
    std::string body;                   ///< empty if it is only declared
    std::vector<double> published;      ///< cycles a row that comments in front of it and inside of it state
    bool published_is_doubtful = false; ///< such a comment names alternatives
    std::size_t at = 0;                 ///< where its result type stands in the text
};

/// Functions that return nothing, a vector type or the type of a template parameter, in their order. Full
/// specialisations are left out.
std::vector<function_declaration> function_declarations(const std::string& source);

/// The parts of the list in (), or in <>, that stands behind a place of a text, with at most a comma before
/// it; none if there is none.
std::vector<std::string> bracketed_list_behind(const std::string& text, std::size_t place);
/// The text with other words for some.
std::string with_words_replaced(std::string text, const std::map<std::string, std::string>& words);

/// The text with blanks for comments; what is left keeps its place.
std::string without_comments(const std::string& text);
/// `vFloat` of `sfpi::vFloat&`.
std::string plain_type(const std::string& type);
/// vFloat, vInt and the like.
bool is_vector_type(const std::string& type);
bool is_word_character(char c);
/// Elements of a list; commas in brackets separate none.
std::vector<std::string> comma_separated(const std::string& list);

/// Namespaces and classes around places of a text without comments, each behind those before.
class scope_reader {
public:
    explicit scope_reader(const std::string& text) : text_(text) {} ///< which has to outlive this
    /// "ckernel::sfpu"; what has no name is left out.
    std::string at(std::size_t place);

private:
    const std::string& text_;
    std::size_t read_ = 0, head_ = 0;
    std::vector<std::string> open_; ///< by brace: the name that it opens a scope of, or nothing
};

} // namespace sfpu::analysis
