#include "run_remains.h"

namespace sfpu::analysis {
namespace {

void compare_dst(jitter_answer& answer, const platform::dst_image& without, const platform::dst_image& with) {
    for (unsigned row = 0; row < without.size(); ++row)
        for (unsigned column = 0; column < without[row].size(); ++column) {
            if (without[row][column] == with[row][column]) continue;
            if (answer.dst_cells++ == 0) {
                answer.dst_row = row;
                answer.dst_column = column;
            }
        }
}

void compare_l1(jitter_answer& answer, const std::vector<unsigned char>& without,
                const std::vector<unsigned char>& with) {
    for (std::size_t at = 0; at < without.size() && at < with.size(); ++at)
        if (without[at] != with[at] && answer.l1_bytes++ == 0)
            answer.l1_address = static_cast<std::uint32_t>(at);
}

} // namespace

jitter_answer compare_runs(const run_remains& without, const run_remains& with) {
    jitter_answer answer;
    answer.ending_without = without.ending;
    answer.ending_with = with.ending;
    answer.succeeded_without = without.succeeded;
    answer.ending_changed = without.succeeded != with.succeeded || without.tohost != with.tohost;
    answer.cycles_without = without.cycles_run;
    answer.cycles_with = with.cycles_run;
    compare_dst(answer, without.dst, with.dst);
    compare_l1(answer, without.l1, with.l1);
    answer.printed_changed = without.printed != with.printed;
    for (std::size_t i = 0; i < without.registers.size() && i < with.registers.size(); ++i)
        if (without.registers[i].value != with.registers[i].value)
            answer.registers.push_back(
                {with.registers[i].name, without.registers[i].value, with.registers[i].value});
    for (unsigned i = 0; i < report_count; ++i)
        if (without.reports[i] != with.reports[i])
            answer.reports.push_back({static_cast<report_id>(i), without.reports[i], with.reports[i]});
    return answer;
}

} // namespace sfpu::analysis
