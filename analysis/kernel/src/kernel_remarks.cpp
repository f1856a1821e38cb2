#include <sfpu/analysis/kernel_remarks.h>

#include <sfpu/analysis/dst_accesses.h>
#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/instruction.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace sfpu::analysis {
namespace {

std::vector<std::size_t> half_rows_of(const kernel_run& kernel, const isa::tensor& tensor, unsigned row) {
    return half_rows_of(
        slice_of_row(tensor.address, row, isa::has_wide_cells(tensor.type), kernel.request().thread));
}

/// Whether any word of the kernel is of that kind.
template <class Kind>
bool has_word(const kernel_run& kernel, Kind is_one) {
    const isa::kernel& source = kernel.kernel();
    for (const auto* section : {&source.init, &source.loop, &source.tail})
        for (const isa::source_word& each : *section)
            if (is_one(each.word)) return true;
    return false;
}

/// SFPLOADMACRO of L4 to L7: bit 0 of its address field goes into the address, too.
bool may_carry(std::uint32_t word) { return word >> 24 == isa::opcode::sfploadmacro && (word & 1u); }

unsigned rows_of(const kernel_run& kernel) { return std::min(kernel.rows(), most_places); }

/// Rows of a tensor all of whose cells are among `cells`; with `part`, some of whose cells are.
unsigned rows_in(const half_rows& cells, const kernel_run& kernel, const isa::tensor& tensor, bool part) {
    unsigned count = 0;
    for (unsigned row = 0; row < rows_of(kernel); ++row) {
        const std::vector<std::size_t> places = half_rows_of(kernel, tensor, row);
        const auto is_in = [&](std::size_t place) { return cells[place]; };
        count += part ? std::any_of(places.begin(), places.end(), is_in)
                      : std::all_of(places.begin(), places.end(), is_in);
    }
    return count;
}

void add_accesses(platform::program_runner& runner, const kernel_run& whole, kernel_remarks& to) {
    kernel_run kernel = whole;
    constexpr unsigned enough = most_places; // rows behind them lie where the first ones do
    if (kernel.iterations() > enough) kernel.end_after(enough);
    platform::run_request request = kernel.request();
    dst_access_recorder recorder(runner);
    request.observer = &recorder;
    request.diagnostics = nullptr;
    request.hazards = hazard_policy::off;
    request.stop = nullptr;
    runner.run(request);
    if (recorder.carried)
        to.all.push_back({kernel.text_line(*recorder.carried), 0,
                          "the Dst counter with its offsets is odd here, and bit 0 of the address, which "
                          "selects L4 to L7, carries: it loads other columns than with L0 to L3",
                          report_id::kernel_address_carry});
    for (const dst_access_recorder::template_store& each : recorder.lost_stores())
        to.all.push_back({kernel.text_line(each.word), 0, to_text(each, kernel.kernel().words),
                          report_id::kernel_store_to_template});
    for (const isa::tensor& input : kernel.kernel().inputs)
        if (rows_in(recorder.loaded, kernel, input, true) == 0)
            to.all.push_back({input.line, input.column,
                              fmt::format("{} is never loaded: no load reads a row of it", input.name),
                              report_id::kernel_unused_input});
    const unsigned rows = rows_of(kernel);
    for (const isa::tensor& output : kernel.kernel().outputs) {
        const unsigned stored = rows_in(recorder.stored, kernel, output, false);
        if (rows_in(recorder.stored, kernel, output, true) == 0) to.untouched.push_back(output.name);
        if (stored == 0) {
            to.unstored.push_back(output.name);
            to.all.push_back(
                {output.line, output.column,
                 fmt::format("{} is never stored: at the end it is what was in Dst before", output.name),
                 report_id::kernel_unstored_output});
        } else if (stored < rows) {
            to.all.push_back({output.line, output.column, partial_output_text(output.name, stored, rows),
                              report_id::kernel_partial_output});
        }
    }
}

/// Two inputs share no place. An output may lie on an input whose row has been read by then.
void add_overlaps(const kernel_run& kernel, kernel_remarks& to) {
    const isa::kernel& source = kernel.kernel();
    std::vector<std::pair<const isa::tensor*, bool>> tensors; // and whether it is an output
    for (const isa::tensor& each : source.inputs) tensors.emplace_back(&each, false);
    for (const isa::tensor& each : source.outputs) tensors.emplace_back(&each, true);
    for (std::size_t second = 1; second < tensors.size(); ++second)
        for (std::size_t first = 0; first < second; ++first) {
            const auto [a, a_is_output] = tensors[first];
            const auto [b, b_is_output] = tensors[second];
            std::map<std::size_t, unsigned> row_of_a;
            for (unsigned row = 0; row < rows_of(kernel); ++row)
                for (const std::size_t place : half_rows_of(kernel, *a, row)) row_of_a[place] = row;
            std::optional<std::pair<unsigned, unsigned>> where;
            for (unsigned row = 0; row < rows_of(kernel) && !where; ++row)
                for (const std::size_t place : half_rows_of(kernel, *b, row)) {
                    const auto found = row_of_a.find(place);
                    if (found == row_of_a.end()) continue;
                    const bool is_read_by_then = !a_is_output && b_is_output && found->second <= row;
                    if (!is_read_by_then) where = {found->second, row};
                }
            if (where)
                to.all.push_back({b->line, b->column,
                                  fmt::format("row {} of {} lies where row {} of {} does", where->second,
                                              b->name, where->first, a->name),
                                  report_id::kernel_overlapping_data});
        }
}

} // namespace

kernel_remarks remarks_on(platform::program_runner& runner, const kernel_run& kernel) {
    kernel_remarks remarks;
    const isa::kernel& source = kernel.kernel();
    remarks.all = source.remarks;
    const bool has_data = !source.inputs.empty() || !source.outputs.empty();
    if (kernel.rows() != 0 &&
        (has_data || has_word(kernel, may_carry) || has_word(kernel, names_template_store))) {
        add_overlaps(kernel, remarks);
        add_accesses(runner, kernel, remarks);
        remarks.touches_no_output =
            !source.outputs.empty() && remarks.untouched.size() == source.outputs.size();
    }
    std::stable_sort(remarks.all.begin(), remarks.all.end(),
                     [](const isa::source_remark& a, const isa::source_remark& b) {
                         return a.line != 0 && (b.line == 0 || a.line < b.line);
                     });
    return remarks;
}

std::string to_text(const kernel_remarks& remarks, const user_places& places, const char* indent) {
    std::string text;
    for (const isa::source_remark& each : remarks.all)
        text +=
            fmt::format("{}{}: {}\n", indent, location_text(places.of(each.line)), places.told(each.message));
    return text;
}

} // namespace sfpu::analysis
