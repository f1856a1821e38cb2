// Where clauses of a formula come from, and what they are there for.
#include "formula_sites.h"

#include <cstring>

namespace sfpu::optimizer {

const char* reason_of(spare why) {
    switch (why) {
    case spare::none: return "";
    case spare::copies_in_order: return "symmetry: copies of a load change places";
    case spare::templates_in_order: return "symmetry: templates change places";
    case spare::begins_at_once: return "symmetry: a row may begin whole intervals later";
    case spare::unread_load_starts_a_macro:
        return "a load whose value nobody reads is of use only to a macro";
    case spare::nothing_for_none: return "holds only where it is assumed";
    case spare::bits_without_meaning:
        return "symmetry: template, delay and VB bit of what is issued, and bits that its instruction "
               "ignores";
    case spare::one_of_each:
        return "implied: a second source, host or loaded register asks for more than the first alone";
    case spare::entries_have_one_delay:
        return "implied: two instructions of an entry would execute in one cycle of its sub-unit";
    case spare::nothing_looks_lost:
        return "right on the machine, but the linter would find a result in L16 that no row takes";
    case spare::slots_are_counted:
        return "implied: one word a slot, and one instruction of a sub-unit for each load";
    case spare::registers_in_order: return "symmetry: registers that nothing distinguishes change places";
    case spare::loop_begins_with_an_effect: return "symmetry: a loop begins with any of its cycles";
    case spare::shown_by_a_test_of_its_own:
        return "needed, where what a row hands on arrives when the next one reads it: optimize_test.cpp "
               "shows it";
    }
    return "?";
}

std::string clause_site::text() const {
    const std::string path = file;
    return path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line);
}

bool operator<(const clause_site& a, const clause_site& b) {
    return a.file != b.file ? std::strcmp(a.file, b.file) < 0 : a.line < b.line;
}

} // namespace sfpu::optimizer
