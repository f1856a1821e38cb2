#include "unit.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/machine.h>
#include <sfpu/platform/tensor_layout.h>

#include <stdexcept>

namespace sfpu::python {

unit::unit(const std::string& arch, const std::vector<std::pair<std::string, std::string>>& settings) {
    std::vector<std::pair<std::string, std::string>> all{{"arch", arch}};
    all.insert(all.end(), settings.begin(), settings.end());
    for (const auto& [path, value] : all)
        if (const auto problem = set_parameter(config_, path, value)) throw std::invalid_argument(*problem);
    std::string faults;
    for (const std::string& problem : config_.problems()) faults += (faults.empty() ? "" : "\n") + problem;
    if (!faults.empty()) throw std::invalid_argument(faults);
    slot_ = &acquire();
    try {
        reset();
    } catch (...) {
        close();
        throw;
    }
}

void unit::close() noexcept {
    if (!slot_) return;
    release(*slot_);
    slot_ = nullptr;
}

slot& unit::mine() {
    if (!slot_) throw std::runtime_error("sfpu.Unit: this unit is closed");
    return *slot_;
}

void unit::reset() {
    slot& one = mine();
    recorder_ = recorder();
    cycle_ = words_ = 0;
    one.sfpu.reset(config_, {&recorder_, &recorder_, hazard_policy::warn});
    one.dst.reset(config_, &one.sfpu.state().reporter);
}

sc_core::sc_time unit::time_of(std::int64_t cycle) const {
    const sc_core::sc_time period(static_cast<double>(config_.period_ps()), sc_core::SC_PS);
    return sc_core::sc_time::from_value(period.value() * static_cast<std::uint64_t>(cycle));
}

void unit::catch_up() {
    slot& one = mine();
    one.dst.bring_to(time_of(cycle_)); // the vector unit with it
}

std::vector<std::int64_t> unit::push(const std::vector<std::uint32_t>& words, unsigned thread) {
    slot& one = mine();
    if (thread >= isa::thread_count) throw std::invalid_argument("sfpu.Unit.push: thread is not 0, 1 or 2");
    std::vector<std::int64_t> result;
    if (words.empty()) return result;
    std::vector<unsigned char> bytes;
    for (const std::uint32_t word : words)
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<unsigned char>(word >> shift));
    std::vector<cycles> issued(words.size());
    issue_order order;
    order.start = cycles{cycle_};
    order.index = words_;
    order.index_step = 1;
    order.thread = static_cast<std::uint8_t>(thread);
    order.issued = issued.data();

    tlm::tlm_generic_payload trans;
    trans.set_command(tlm::TLM_WRITE_COMMAND);
    trans.set_address(0);
    trans.set_data_ptr(bytes.data());
    trans.set_data_length(static_cast<unsigned>(bytes.size()));
    trans.set_streaming_width(4);
    trans.set_extension(&order);
    sc_core::sc_time delay = time_of(cycle_);
    one.insn_isock->b_transport(trans, delay);
    trans.clear_extension(&order);
    if (!trans.is_response_ok()) throw std::runtime_error("sfpu.Unit.push: " + trans.get_response_string());
    for (unsigned i = 0; i < order.taken; ++i) result.push_back(issued[i].count());
    words_ += static_cast<std::int64_t>(words.size());
    cycle_ = result.back() + 1;
    return result;
}

void unit::wait(std::int64_t count) {
    mine();
    if (count < 0) throw std::invalid_argument("sfpu.Unit.wait: the number of cycles is negative");
    // Simulated time ends; the unit needs some of it for itself.
    constexpr std::int64_t margin = std::int64_t{1} << 33;
    const auto last = static_cast<std::int64_t>(sc_core::sc_max_time().value() / time_of(1).value()) - margin;
    if (count > last - cycle_)
        throw std::invalid_argument("sfpu.Unit.wait: found " + std::to_string(count) +
                                    " cycles behind cycle " + std::to_string(cycle_) +
                                    ", expected no cycle behind " + std::to_string(last));
    cycle_ += count;
    catch_up();
}

void unit::settle() {
    catch_up();
    while (mine().sfpu.moves()) {
        ++cycle_;
        catch_up();
    }
    ++cycle_; // a store of the last cycle is visible now
    catch_up();
}

const isa::vector_state& unit::state() {
    catch_up();
    return mine().sfpu.state().vector;
}

const isa::thread_state& unit::thread(unsigned number) {
    catch_up();
    return mine().sfpu.state().threads.at(number);
}

isa::vector_state& unit::initial_state() {
    slot& one = mine();
    if (words_ || cycle_)
        throw std::runtime_error("sfpu.Unit: state can be set before the first cycle only; reset() first");
    return one.sfpu.state().vector;
}

isa::thread_state& unit::initial_thread(unsigned number) {
    initial_state();
    return mine().sfpu.state().threads.at(number);
}

dst::dst_storage& unit::storage() {
    catch_up();
    return mine().dst.storage();
}

std::vector<std::uint32_t> unit::read(unsigned address, isa::data_type type, unsigned rows) {
    const dst::dst_storage& from = storage();
    platform::dst_image image{};
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            image[row][column] = from.cell(row, column);
    std::vector<std::uint32_t> cells;
    for (unsigned row = 0; row < rows; ++row) {
        const platform::dst_slice slice =
            platform::slice_of_row(address, row, isa::has_wide_cells(type), mine().sfpu.state().threads[0]);
        for (unsigned lane = 0; lane < lane_count; ++lane)
            cells.push_back(platform::read_cell(image, slice, lane));
    }
    return cells;
}

void unit::write(unsigned address, isa::data_type type, const std::vector<std::uint32_t>& cells) {
    dst::dst_storage& to = storage();
    platform::dst_rows rows;
    for (unsigned row = 0; row < dst::row_count; ++row)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            rows[row][column] = to.cell(row, column);
    for (std::size_t i = 0; i < cells.size(); ++i)
        platform::write_cell(rows,
                             platform::slice_of_row(address, static_cast<unsigned>(i / lane_count),
                                                    isa::has_wide_cells(type),
                                                    mine().sfpu.state().threads[0]),
                             static_cast<unsigned>(i % lane_count), cells[i]);
    for (const auto& [row, values] : rows)
        for (unsigned column = 0; column < dst::cells_per_row; ++column)
            to.set_cell(row, column, values[column]);
}

std::string unit::text(const isa::instruction& insn) {
    return isa::text(insn, isa::make_machine(config_).encoding());
}

} // namespace sfpu::python
