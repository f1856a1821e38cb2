#include "found_data.h"

#include <sfpu/analysis/errors.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <utility>

namespace sfpu::analysis {
namespace {

constexpr unsigned address_limit = 0x400, row_step = 2;

/// An address as loads have it: bit 0 selects nothing.
unsigned even(unsigned address) { return address % address_limit & ~1u; }
std::string hex(unsigned address) { return fmt::format("0x{:02x}", address); }

/// How far the second address is behind the first, as the smaller way round.
int way_between(unsigned from, unsigned to) {
    const int way = static_cast<int>((to - from) % address_limit);
    return way < static_cast<int>(address_limit / 2) ? way : way - static_cast<int>(address_limit);
}

/// What one word of the loop loads, or what it stores, iteration by iteration.
struct word_accesses {
    const dst_access* first = nullptr;
    std::vector<unsigned> addresses; ///< of each iteration, in order
    bool once_each = true;           ///< one access in each
    bool is_input = false;           ///< loaded in the first one before anything was stored there

    /// How much further each iteration is than the one before; nothing if it differs. 0 of one iteration.
    std::optional<int> step() const {
        if (addresses.size() < 2) return 0;
        const int all = way_between(addresses[0], addresses[1]);
        for (std::size_t i = 2; i < addresses.size(); ++i)
            if (way_between(addresses[i - 1], addresses[i]) != all) return std::nullopt;
        return all;
    }
};

/// Half rows that were stored, and when first.
class stored_rows {
public:
    /// A load of the same cycle still sees what was there before (T6).
    bool had(const dst_access& load) const {
        const std::vector<std::size_t> halves = half_rows_of(load.slice);
        return std::any_of(halves.begin(), halves.end(),
                           [&](std::size_t half) { return stored_[half] && first_[half] < load.at; });
    }
    void add(const dst_access& store) {
        for (const std::size_t half : half_rows_of(store.slice)) {
            if (stored_[half]) continue;
            stored_.set(half);
            first_[half] = store.at;
        }
    }

private:
    half_rows stored_;
    std::array<cycles, half_rows{}.size()> first_{};
};

/// The rows of a tensor in one iteration.
struct tensor_rows {
    const word_accesses* first = nullptr; ///< of the row at the lowest address
    unsigned rows = 0;                    ///< that are there
};

std::string plural(std::size_t count, const char* what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

class data_search {
public:
    data_search(const std::vector<dst_access>& accesses, const loop_words& loop,
                const isa::thread_state& start)
        : loop_(loop), start_(start), offset_(start.counted_address(isa::instruction{})) {
        stored_rows stored;
        for (const dst_access& each : accesses) {
            const bool fresh = !each.is_store && !stored.had(each);
            take(each, fresh);
            if (each.is_store) stored.add(each);
        }
    }

    found_data result() {
        if (loop_.iterations > 1) find_rows_of_iterations();
        else find_rows_of_one();
        if (found_.rows_known && step_ > 0) {
            declare(true);
            declare(false);
            tell_of_others();
        }
        return std::move(found_);
    }

private:
    void take(const dst_access& access, bool fresh);
    void find_rows_of_iterations();
    void find_rows_of_one();
    std::vector<tensor_rows> tensors_of(bool stores) const;
    void declare(bool stores);
    void tell_of_others();
    bool is_named(const dst_access& access) const;
    bool is_regular(const word_accesses& of) const {
        return of.once_each && of.addresses.size() == loop_.iterations && of.step();
    }

    const loop_words& loop_;
    const isa::thread_state& start_;
    unsigned offset_;                                               ///< of all addresses at the start
    std::map<std::pair<std::size_t, bool>, word_accesses> by_word_; ///< the word of the loop; is it a store
    std::vector<std::pair<const dst_access*, bool>> outside_;       ///< the loop; the load is fresh
    int step_ = 0;                                                  ///< of addresses, an iteration
    found_data found_;
};

void data_search::take(const dst_access& access, bool fresh) {
    const auto index = static_cast<std::size_t>(access.word);
    if (access.word < 0 || index < loop_.begin || index >= loop_.begin + loop_.length * loop_.iterations) {
        outside_.emplace_back(&access, fresh);
        return;
    }
    const std::size_t iteration = (index - loop_.begin) / loop_.length;
    word_accesses& of = by_word_[{(index - loop_.begin) % loop_.length, access.is_store}];
    if (!of.first) {
        of.first = &access;
        of.is_input = fresh;
    }
    if (of.addresses.size() != iteration) of.once_each = false;
    else of.addresses.push_back(even(access.address));
}

/// The tensors that have a row in an iteration: rows from the lowest address on, as many as an iteration has.
std::vector<tensor_rows> data_search::tensors_of(bool stores) const {
    std::map<std::pair<bool, unsigned>, const word_accesses*> by_address; // wide cells apart
    for (const auto& [word, of] : by_word_)
        if (word.second == stores && is_regular(of) && (stores || of.is_input) &&
            (loop_.iterations == 1 || of.step() == step_))
            by_address.try_emplace({of.first->slice.wide, of.addresses[0]}, &of);
    std::vector<tensor_rows> tensors;
    while (!by_address.empty()) {
        const auto [place, first] = *by_address.begin();
        tensor_rows one{first, 0};
        for (unsigned row = 0; row < found_.rows; ++row)
            one.rows += static_cast<unsigned>(by_address.erase({place.first, place.second + row * row_step}));
        tensors.push_back(one);
    }
    std::sort(tensors.begin(), tensors.end(), [](const tensor_rows& a, const tensor_rows& b) {
        return std::pair(a.first->first->word, a.first->addresses[0]) <
               std::pair(b.first->first->word, b.first->addresses[0]);
    });
    return tensors;
}

void data_search::find_rows_of_iterations() {
    std::set<int> steps;
    for (const auto& [word, of] : by_word_)
        if (word.second && is_regular(of) && *of.step() != 0) steps.insert(*of.step());
    if (steps.size() != 1 || *steps.begin() % static_cast<int>(row_step) != 0) {
        found_.told.push_back(steps.empty() ? "rows are not known: no store moves from iteration to iteration"
                                            : "rows are not known: stores do not move together");
        return;
    }
    step_ = *steps.begin();
    found_.rows_known = true;
    found_.rows = static_cast<unsigned>(std::abs(step_)) / row_step;
    unsigned most = 0;
    for (const tensor_rows& one : tensors_of(true)) most = std::max(most, one.rows);
    if (step_ < 0 || most < found_.rows) {
        found_.told.push_back(fmt::format("stores move by {} an iteration, and rows of declared data would "
                                          "follow each other by {}: no input or output is declared",
                                          step_, row_step));
        found_.rows = std::max(most, 1u);
        step_ = 0;
    }
}

/// Of words that do not repeat: outputs are stretches of rows that are stored, if all are equally long.
void data_search::find_rows_of_one() {
    std::set<std::pair<bool, unsigned>> stored;
    for (const auto& [word, of] : by_word_)
        if (word.second) stored.insert({of.first->slice.wide, of.addresses.at(0)});
    std::set<unsigned> lengths;
    for (auto each = stored.begin(); each != stored.end();) {
        unsigned length = 0;
        for (auto place = *each; each != stored.end() && *each == place; ++each, ++length)
            place.second += row_step;
        lengths.insert(length);
    }
    if (lengths.size() != 1) {
        found_.told.emplace_back(lengths.empty() ? "rows are not known: nothing is stored"
                                                 : "rows are not known: stored stretches differ in length");
        return;
    }
    found_.rows_known = true;
    found_.rows = *lengths.begin();
    step_ = static_cast<int>(found_.rows * row_step);
}

/// The type of an access, and what it rests on.
std::pair<isa::data_type, std::string> type_of(const dst_access& access, const isa::thread_state& thread) {
    const char* mode = "";
    const isa::row* const op = isa::find_row("sfpload");
    for (const isa::mode_name* each = op->modes; each && each->name; ++each)
        if (each->value == access.mode) mode = each->name;
    if (!access.type) {
        const isa::data_type type = access.slice.wide ? isa::data_type::u32 : isa::data_type::u16;
        return {type, fmt::format("mode {} moves bits; that they are unsigned integers is assumed", mode)};
    }
    if (access.follows_format)
        return {*access.type, fmt::format("default mode, type from the Dst format: fp32_enabled is {}, "
                                          "srcb_format {}",
                                          thread.backend().fp32_enabled, thread.backend().srcb_format)};
    switch (access.mode) {
    case isa::dst_mode::int32: return {*access.type, "mode INT32; that it is two's complement is assumed"};
    case isa::dst_mode::uint16: return {*access.type, "mode UINT16; that it has no sign is assumed"};
    case isa::dst_mode::int8:
    case isa::dst_mode::int8_comp: return {*access.type, fmt::format("mode {}; a sign is assumed", mode)};
    default: return {*access.type, fmt::format("mode {}", mode)};
    }
}

void data_search::declare(bool stores) {
    const auto rows = static_cast<unsigned>(found_.rows * loop_.iterations);
    std::vector<isa::tensor>& to = stores ? found_.outputs : found_.inputs;
    std::vector<std::string>& told = stores ? found_.told_outputs : found_.told_inputs;
    for (const tensor_rows& one : tensors_of(stores)) {
        const dst_access& access = *one.first->first;
        const unsigned address = even(one.first->addresses[0] - offset_);
        if (one.rows < found_.rows) {
            found_.told.push_back(fmt::format("{} {} of {} rows of an iteration at {}: not declared",
                                              stores ? "stores are to" : "loads are of", one.rows,
                                              found_.rows, hex(address)));
            continue;
        }
        const auto [type, why] = type_of(access, start_);
        if (const auto shared = first_shared_place(address, rows, access.slice.wide, start_)) {
            found_.told.push_back(
                fmt::format("data at {} are not declared: {}", hex(address), to_text(*shared, type)));
            continue;
        }
        isa::tensor named;
        named.name = fmt::format("{}{}", stores ? "out" : "in", to.size());
        named.address = address;
        named.type = type;
        told.push_back(fmt::format("{}: {} from {} on, {} ({})", named.name, plural(rows, "row"),
                                   hex(address), isa::to_string(type), why));
        to.push_back(std::move(named));
    }
}

bool data_search::is_named(const dst_access& access) const {
    const auto rows = static_cast<unsigned>(found_.rows * loop_.iterations);
    const std::vector<isa::tensor>& in = access.is_store ? found_.outputs : found_.inputs;
    return std::any_of(in.begin(), in.end(), [&](const isa::tensor& each) {
        const int way = way_between(even(each.address + offset_), even(access.address));
        return way >= 0 && static_cast<unsigned>(way) < rows * row_step;
    });
}

void data_search::tell_of_others() {
    std::set<unsigned> constant, apart;
    for (const auto& [word, of] : by_word_) {
        if (word.second || !of.is_input || is_named(*of.first)) continue;
        (is_regular(of) && of.step() == 0 ? constant : apart).insert(even(of.addresses.at(0) - offset_));
    }
    if (loop_.iterations > 1 && !constant.empty())
        found_.told.push_back(fmt::format("each iteration loads {} from {} on again: not declared",
                                          plural(constant.size(), "row"), hex(*constant.begin())));
    if (!apart.empty())
        found_.told.push_back(
            fmt::format("loads from {} on do not move as stores do: not declared", hex(*apart.begin())));
    std::size_t loads = 0, stores = 0;
    for (const auto& [access, fresh] : outside_)
        if (!is_named(*access)) ++(access->is_store ? stores : loads);
    if (loads + stores != 0)
        found_.told.push_back(
            fmt::format("outside of the loop there are {} and {} of cells that belong to no "
                        "input or output",
                        plural(loads, "load"), plural(stores, "store")));
}

/// Checks what was named against what is accessed.
void check_named(const placed_tensor& named, bool stores, const std::vector<dst_access>& accesses,
                 unsigned offset, const std::string& file) {
    const char* const option = stores ? "--output-at" : "--input-at";
    std::set<unsigned> places;
    bool touched = false;
    for (const dst_access& each : accesses) {
        if (each.is_store != stores) continue;
        places.insert(even(each.address - offset));
        if (even(each.address - offset) != even(named.address)) continue;
        touched = true;
        if (each.slice.wide == isa::has_wide_cells(named.type)) return;
    }
    const std::string given =
        fmt::format("{} {}={}:{}", option, named.name, hex(named.address), isa::to_string(named.type));
    if (touched)
        throw user_error(fmt::format("{}: {}: found cells of {} bits there, expected a type that has them",
                                     file, given, isa::has_wide_cells(named.type) ? 16 : 32));
    throw user_error(fmt::format("{}: {}: no word {} there, expected an address from {} to {}", file, given,
                                 stores ? "stores" : "loads", places.empty() ? "?" : hex(*places.begin()),
                                 places.empty() ? "?" : hex(*places.rbegin())));
}

} // namespace

found_data find_data(const std::vector<dst_access>& accesses, const loop_words& loop,
                     const isa::thread_state& start) {
    return data_search(accesses, loop, start).result();
}

void take_named_data(found_data& found, const source_request& request,
                     const std::vector<dst_access>& accesses, const isa::thread_state& start,
                     const std::string& file) {
    const unsigned offset = start.counted_address(isa::instruction{});
    for (const bool stores : {false, true}) {
        const std::vector<placed_tensor>& named = stores ? request.outputs : request.inputs;
        if (named.empty()) continue;
        std::vector<isa::tensor>& to = stores ? found.outputs : found.inputs;
        std::vector<std::string>& told = stores ? found.told_outputs : found.told_inputs;
        to.clear();
        told.clear();
        for (const placed_tensor& each : named) {
            if (!accesses.empty()) check_named(each, stores, accesses, offset, file);
            isa::tensor one;
            one.name = each.name;
            one.address = each.address;
            one.type = each.type;
            to.push_back(std::move(one));
            told.push_back(
                fmt::format("{}: named, at {}, {}", each.name, hex(each.address), isa::to_string(each.type)));
        }
    }
}

} // namespace sfpu::analysis
