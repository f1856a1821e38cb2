// The table of diagnostics (report.h): `info --report-ids` and `--explain`,
// docs/hazards.md.
#pragma once

#include <sfpu/views/page.h>

#include <string>

namespace sfpu::views {

/// JSON: an array with one object for each diagnostic. Text: a line for each.
page reports_page();
/// The table at the end of docs/hazards.md, under a heading of its own.
std::string report_ids_markdown();

// What is said of one diagnostic, named by its id or the last parts of it, or of all of them by "all". Both
// throw user_error if it is unknown.
/// JSON: an object; an array for "all".
page explanation_page(const std::string& id);
/// A section of docs/hazards.md; the page for "all".
std::string explanation_markdown(const std::string& id);

} // namespace sfpu::views
