#include "open_questions.h"

namespace sfpu::analysis {
namespace {

/// "a,b,c" to "c,b,a"
std::string reversed_list(std::string list) {
    std::string result;
    for (std::size_t comma = list.rfind(','); comma != std::string::npos; comma = list.rfind(',')) {
        result += list.substr(comma + 1) + ",";
        list.resize(comma);
    }
    return result + list;
}

} // namespace

std::vector<other_answer> other_answers(const parameters& config) {
    struct question {
        const char* parameter;
        std::vector<std::string> values;
    };
    const std::string reverse = reversed_list(find_parameter(write_order_parameter)->text(config));
    const std::vector<question> questions{{"macro.delay_kind_scope", {"sub_unit", "macro"}},
                                          {"macro.firing_entry_outstanding", {"true", "false"}},
                                          {"dst.store_load_visible", {"0", "1", "2"}},
                                          {"sfpu.auto_stall", {"true", "false"}},
                                          {write_order_parameter, {reverse}}};
    std::vector<other_answer> answers;
    for (const question& each : questions) {
        const parameter_row& row = *find_parameter(each.parameter);
        for (const std::string& value : each.values) {
            parameters other = config;
            set_parameter(other, each.parameter, value);
            if (row.get(other) != row.get(config)) answers.push_back({each.parameter, value, other});
        }
    }
    return answers;
}

answer_reach::answer_reach(const parameters& config, const other_answer& answer, bool all)
    : parameter_(answer.parameter), now_(isa::make_machine(config)), other_(isa::make_machine(answer.config)),
      all_(all) {}

bool answer_reach::may_differ(const run_outcome& usual) const {
    if (all_ || now_.issue_width > 1) return true;
    if (now_ == other_) return false; // two names of one answer
    if (parameter_ == write_order_parameter) return usual.collides;
    if (parameter_ == "sfpu.auto_stall") return other_.stalls_for_results || usual.stalls;
    if (parameter_ == "dst.store_load_visible") return usual.reach.store_load_visible;
    if (parameter_ == "macro.delay_kind_scope") return usual.reach.delay_kind_scope;
    if (parameter_ == "macro.firing_entry_outstanding") return usual.reach.firing_entry_outstanding;
    return true;
}

} // namespace sfpu::analysis
