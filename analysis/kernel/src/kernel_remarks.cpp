#include <sfpu/analysis/kernel_remarks.h>

#include <sfpu/analysis/tensor_layout.h>
#include <sfpu/common/shown_name.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <map>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr unsigned storage_rows = 1024;

/// Half rows of raw storage: row times 2, plus 1 for the odd columns.
using half_rows = std::bitset<std::size_t{2} * storage_rows>;

std::vector<std::size_t> half_rows_of(const dst_slice& slice) {
    std::vector<std::size_t> result;
    for (unsigned lane = 0; lane < lane_count; lane += 8) {
        const unsigned odd = slice.odd ? 1 : 0, row = slice.row_of(lane);
        result.push_back(std::size_t{2} * (row % storage_rows) + odd);
        if (slice.wide) result.push_back(std::size_t{2} * ((row + lower_half_distance) % storage_rows) + odd);
    }
    return result;
}

std::vector<std::size_t> half_rows_of(const kernel_run& kernel, const isa::tensor& tensor, unsigned row) {
    return half_rows_of(
        slice_of_row(tensor.address, row, isa::has_wide_cells(tensor.type), kernel.request().thread));
}

/// SFPLOADMACRO: bit 0 of its address field is bit 2 of its LReg, and goes into the address, too.
bool names_upper_lreg(const isa::instruction& insn) { return insn.imm10 & 1u; }

bool may_carry(const kernel_run& kernel) {
    const isa::kernel& source = kernel.kernel();
    const auto is_one = [&](const isa::source_word& each) {
        const isa::instruction insn = isa::decode(each.word, source.words);
        return insn.is(isa::opcode::sfploadmacro) && names_upper_lreg(insn);
    };
    const auto any = [&](const std::vector<isa::source_word>& words) {
        return std::any_of(words.begin(), words.end(), is_one);
    };
    return any(source.init) || any(source.loop) || any(source.tail);
}

/// What a run loads and stores, whatever the lane flags are.
class access_recorder : public probe::pipeline_observer {
public:
    explicit access_recorder(const isa::thread_state& thread) : thread_(thread) {}

    void executed(const probe::execution_event& event) override {
        const isa::instruction& insn = event.insn;
        const bool is_store = insn.is(isa::opcode::sfpstore);
        if (!event.takes_effect || insn.names_template()) return;
        const bool macro = insn.is(isa::opcode::sfploadmacro);
        if (!is_store && !insn.is(isa::opcode::sfpload) && !macro) return;
        if (macro && names_upper_lreg(insn) && !(event.dst_address & 1) && !carried) carried = event.word;
        const isa::backend_configuration& backend = thread_.backend();
        const unsigned mode = isa::resolve_srcb(insn.mod, backend.fp32_enabled, backend.srcb_format);
        const bool wide =
            is_store ? isa::dst_mode::store_is_32_bit(mode) : isa::dst_mode::load_is_32_bit(mode);
        for (const std::size_t each : half_rows_of(slice_at(event.dst_address, wide, backend.rows)))
            (is_store ? stored : loaded).set(each);
    }

    half_rows loaded, stored;
    std::optional<std::int64_t>
        carried; ///< the first word whose bit 0 of the address was added to an odd counter

private:
    const isa::thread_state& thread_;
};

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
    access_recorder recorder(runner.thread());
    request.observer = &recorder;
    request.diagnostics = nullptr;
    request.hazards = hazard_policy::off;
    request.stop = nullptr;
    runner.run(request);
    if (recorder.carried)
        to.all.push_back({kernel.line(*recorder.carried), 0,
                          "the Dst counter with its offsets is odd here, and bit 0 of the address, which "
                          "selects L4 to L7, carries: it loads other columns than with L0 to L3"});
    for (const isa::tensor& input : kernel.kernel().inputs)
        if (rows_in(recorder.loaded, kernel, input, true) == 0)
            to.all.push_back({input.line, input.column,
                              fmt::format("{} is never loaded: no load reads a row of it", input.name)});
    const unsigned rows = rows_of(kernel);
    for (const isa::tensor& output : kernel.kernel().outputs) {
        const unsigned stored = rows_in(recorder.stored, kernel, output, false);
        if (rows_in(recorder.stored, kernel, output, true) == 0) to.untouched.push_back(output.name);
        if (stored == 0) {
            to.unstored.push_back(output.name);
            to.all.push_back(
                {output.line, output.column,
                 fmt::format("{} is never stored: at the end it is what was in Dst before", output.name)});
        } else if (stored < rows) {
            to.all.push_back({output.line, output.column,
                              fmt::format("only {} of the {} rows of {} {} ever stored", stored, rows,
                                          output.name, stored == 1 ? "is" : "are")});
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
                                              b->name, where->first, a->name)});
        }
}

} // namespace

kernel_remarks remarks_on(platform::program_runner& runner, const kernel_run& kernel) {
    kernel_remarks remarks;
    const isa::kernel& source = kernel.kernel();
    remarks.all = source.remarks;
    if (kernel.rows() != 0 && (!source.inputs.empty() || !source.outputs.empty() || may_carry(kernel))) {
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

std::string to_text(const kernel_remarks& remarks, const std::string& file, const char* indent) {
    std::string text;
    for (const isa::source_remark& each : remarks.all)
        text += each.line ? fmt::format("{}{}:{}: {}\n", indent, shown_name(file), each.line, each.message)
                          : fmt::format("{}{}: {}\n", indent, shown_name(file), each.message);
    return text;
}

} // namespace sfpu::analysis
