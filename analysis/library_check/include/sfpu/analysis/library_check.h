// The check of a kernel library: each of its headers is compiled, its functions are called, recorded, run and
// compared.
#pragma once

#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/kernel_kit.h>
#include <sfpu/analysis/library_schedule.h>
#include <sfpu/analysis/lint.h>
#include <sfpu/analysis/session.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// What was found of one call of a function, or of a header if nothing in it can be called.
struct library_row {
    std::string header;   ///< as kernel_header::name
    std::string function; ///< the call: `f<true, 8>(0, 1)`; empty for a header
    architecture arch = architecture::blackhole;
    bool compiles = false, records = false;
    std::string reason;                         ///< why it does not
    std::optional<bool> direct_equals_recorded; ///< recorded words compute what executing the C++ computes
    std::optional<bool> macro_equals_plain;     ///< with SFPLOADMACRO and without
    std::optional<std::string> equality;        ///< how strong that is if they are equal: "proved", "tested"
    std::optional<lint_verdict> verdict;
    std::optional<double> cycles_per_row; ///< in steady state
    std::optional<double> published;      ///< the same, as comments of the header state it
    std::vector<std::string> explanation; ///< sentences that say why the two paths differ
    std::vector<std::string> remarks;     ///< how it was compiled, reports of a run, what was not compared
    std::optional<library_schedule> schedule; ///< if it was asked for, and the call records without macros

    /// Remarks and explanation on one line.
    std::string note() const;
    bool differs() const { return direct_equals_recorded == false || macro_equals_plain == false; }
};

struct library_request {
    std::vector<kernel_header> headers; ///< see find_headers() and wanted_headers()
    kernel_tools tools;
    std::string
        folder; ///< absolute; sources, programs and kernel files go into a folder for each header below it
    unsigned jobs = 1;                 ///< headers at a time
    double seconds = 120;              ///< for each compilation or run
    bool record_only = false;          ///< nothing is run or compared
    call_scheduler schedule = nullptr; ///< of each call; empty: none has one
    /// What is known of a header already, which is not tried then. May be empty.
    std::function<std::optional<std::vector<library_row>>(const kernel_header&)> known = nullptr;
    /// Told of the rows of each header that was tried to the end. May be empty. Both are called by several
    /// threads at once.
    std::function<void(const kernel_header&, const std::vector<library_row>&)> finished = nullptr;
};

struct library_answer {
    std::vector<library_row> rows; ///< in the order of headers, then of functions
    bool interrupted = false;      ///< by the session: headers are missing

    bool any_difference() const;
};

/// Throws user_error if it cannot write to its folder.
library_answer check_library(const library_request& request, const session& of = {});

/// How many headers of a chip compile and record, functions are equal, and so on.
struct chip_summary {
    architecture arch = architecture::blackhole;
    std::size_t headers = 0, headers_that_compile = 0, headers_that_record = 0;
    unsigned functions = 0, functions_that_record = 0;
    unsigned direct_compared = 0, direct_equal = 0, macro_compared = 0, macro_equal = 0;
    std::vector<std::pair<lint_verdict, unsigned>> verdicts; ///< those that occur
};
/// One for each chip that has rows.
std::vector<chip_summary> summary_of(const std::vector<library_row>& rows);

/// The header's name as the name of a file or folder.
std::string file_name_of(const kernel_header& header);

} // namespace sfpu::analysis
