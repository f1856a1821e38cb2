// Calls of the functions in a header of the kernel library, with arguments guessed from types and names.
#pragma once

#include <sfpu/analysis/function_text.h>
#include <sfpu/analysis/kernel_callers.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A function template with arguments, or a function, and its arguments.
struct kernel_call {
    std::string function, call; ///< `f`, and `f<true, 8>(0, 0, 1)`
    std::string statement;      ///< C++ on one line that calls it; of a function of values a loop over rows
    std::string init;           ///< a call of what prepares it; may be empty
    unsigned rows = 8;
    bool counts_rows = true;          ///< its rows are known; else a call counts as one
    std::optional<double> published;  ///< cycles a row that comments of the header state
    bool published_of_macros = false; ///< they state it of a function that uses SFPLOADMACRO
    bool has_callers = false;         ///< who calls it says what prepares it; else names do
    bool is_part = false;        ///< only other functions of the header call it, and no init has its name
    bool records_replay = false; ///< it loads the replay buffer, from which others may play
};

struct kernel_functions {
    std::vector<kernel_call> calls;
    std::vector<std::string> skipped; ///< "function: reason"
    bool has_plain_path = false;      ///< compiles otherwise with DISABLE_SFPLOADMACRO
};

/// What is known of a call.
struct call_wishes {
    unsigned rows = 8; ///< where an argument counts them
    bool approximate = false, wide_dst = false;
    std::string mode = "INT32"; ///< of loads and stores of integers: an enumerator of InstrModLoadStore
};

/// What is known of a header beside its text.
struct header_surroundings {
    kernel_callers callers; ///< empty: functions are paired with init functions by their names
    /// A function of this name in the headers that it may include. May be empty.
    std::function<std::optional<function_declaration>(const std::string&)> elsewhere = nullptr;
};

/// The call of one function of a header's text; nothing, and a reason, if some argument is not known.
std::optional<kernel_call> call_as_wished(const std::string& text, const std::string& function,
                                          const call_wishes& wishes, std::string& problem,
                                          const header_surroundings& around = {});

/// What a caller says of a call.
struct given_arguments {
    std::string template_arguments;     ///< "true, 8"; empty: as call_as_wished() guesses them
    std::vector<std::string> arguments; ///< of parameters that are no vectors; those missing are guessed
};

/// The call of a function of a header's text, `all` of whose functions are declared with their scopes in
/// front of their names. Its rows are 0 where nobody knows them. Nothing, and a reason, if some argument is
/// not known.
std::optional<kernel_call> call_as_given(const std::string& text,
                                         const std::vector<function_declaration>& all, std::size_t function,
                                         const given_arguments& given, std::string& problem);

/// Where a program of `llk` has memory for kernels that read L1, a megabyte.
constexpr unsigned l1_address = 0x100000;

/// Calls of the functions in a header's text that return nothing or a vector type: several for a template.
kernel_functions find_functions(const std::string& text, const header_surroundings& around = {});

} // namespace sfpu::analysis
