// Values that are passed for parameters of which nothing but type and name is known.
#pragma once

#include <sfpu/analysis/function_text.h>

#include <string>
#include <vector>

namespace sfpu::analysis {

constexpr unsigned tried_instances = 6; ///< of a template

bool contains(const std::string& text, const std::string& word);
bool ends_with(const std::string& text, const std::string& end);
std::string lower_case(const std::string& text);
/// Whether the name is that of a number of rows.
bool is_count(const std::string& name);
bool is_integer_type(const std::string& type);
bool is_type_parameter(const function_parameter& p);

/// Values of a template parameter that are tried. `body` of its function, `text` of the header.
std::vector<std::string> template_values(const function_parameter& p, const std::string& body,
                                         const std::string& text);
/// A number for a parameter of a type that holds numbers.
std::string number_for(const function_parameter& p, const std::string& body, unsigned rows);

} // namespace sfpu::analysis
