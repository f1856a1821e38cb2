#include "open_questions.h"

#include <sfpu/isa/instruction.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace sfpu::analysis {
namespace {

using port_list = std::vector<std::string>;

port_list reversed_ports(const std::string& order) {
    port_list result;
    for (std::size_t begin = 0; begin <= order.size();) {
        const std::size_t end = std::min(order.find(',', begin), order.size());
        result.insert(result.begin(), order.substr(begin, end - begin));
        begin = end + 1;
    }
    return result;
}

/// The port is taken out and put in front of another one, or behind it.
port_list with_moved(port_list ports, const char* moved, const char* other, bool behind) {
    ports.erase(std::find(ports.begin(), ports.end(), moved));
    ports.insert(std::find(ports.begin(), ports.end(), other) + (behind ? 1 : 0), moved);
    return ports;
}

/// Orders that turn round every pair of `order`, between them; but a load that is behind the second cycle of
/// SFPSWAP stays there if it is to be last.
std::vector<std::string> other_orders(const std::string& order, bool keeps_loads_last) {
    constexpr const char *swap = "second_cycle", *load = "load";
    const port_list reverse = reversed_ports(order);
    const bool turns_it =
        std::find(reverse.begin(), reverse.end(), load) < std::find(reverse.begin(), reverse.end(), swap);
    if (!keeps_loads_last || !turns_it) return {fmt::format("{}", fmt::join(reverse, ","))};
    return {fmt::format("{}", fmt::join(with_moved(reverse, swap, load, false), ",")),
            fmt::format("{}", fmt::join(with_moved(reverse, load, swap, true), ","))};
}

} // namespace

bool has_swap(const isa::kernel& kernel) {
    const auto any = [](const std::vector<isa::source_word>& words) {
        return std::any_of(words.begin(), words.end(), [](const isa::source_word& each) {
            return each.word >> 24 == isa::opcode::sfpswap;
        });
    };
    return any(kernel.init) || any(kernel.loop) || any(kernel.tail);
}

std::vector<other_answer> other_answers(const parameters& config, bool keeps_loads_last) {
    struct question {
        const char* parameter;
        std::vector<std::string> values;
    };
    const std::string order = find_parameter(write_order_parameter)->text(config);
    const std::vector<question> questions{{"macro.delay_kind_scope", {"sub_unit", "macro"}},
                                          {"macro.firing_entry_outstanding", {"true", "false"}},
                                          {"macro.freeze_scope", {"all", "own_unit"}},
                                          {"dst.store_load_visible", {"0", "1", "2"}},
                                          {"sfpu.auto_stall", {"true", "false"}},
                                          {write_order_parameter, other_orders(order, keeps_loads_last)}};
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
    if (parameter_ == "macro.firing_entry_outstanding" || parameter_ == "macro.freeze_scope")
        return usual.reach.mixed_kinds;
    return true;
}

} // namespace sfpu::analysis
