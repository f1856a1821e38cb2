#include "expansion_row.h"

#include "row_builder.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

namespace sfpu::optimizer {
namespace {

using isa::instruction;
namespace opcode = isa::opcode;

constexpr std::int64_t looked_at = expansion_iterations / 2; ///< an iteration in the steady state

bool is_load(const instruction& insn) { return insn.is(opcode::sfpload) || insn.is(opcode::sfploadmacro); }
bool is_access(const instruction& insn) { return is_load(insn) || insn.is(opcode::sfpstore); }

class row_finder {
public:
    row_finder(const isa::kernel& kernel, const std::vector<executed_instruction>& record)
        : kernel_(kernel), probe_(kernel.words) {
        for (const executed_instruction& each : record) run_.push_back(&each);
        std::stable_sort(run_.begin(), run_.end(),
                         [](const auto* a, const auto* b) { return a->begin < b->begin; });
    }

    row_record find() {
        check_words();
        index();
        look_behind();
        collect();
        order();
        fill_in();
        set_up();
        return std::move(row_);
    }

private:
    [[noreturn]] void refuse(std::size_t loop_word, const std::string& why) const {
        const isa::source_word& at = kernel_.loop[loop_word];
        throw row_error(at.line, isa::disassemble(at.word, kernel_.words) + ": " + why);
    }

    void check_words() const {
        if (kernel_.loop.empty()) throw row_error(0, "there is no .loop: a row is what stands in it");
        for (std::size_t w = 0; w < kernel_.loop.size(); ++w) {
            const std::uint32_t word = kernel_.loop[w].word;
            const isa::word_kind kind = isa::classify(word, kernel_.arch);
            if (kind == isa::word_kind::no_instruction) refuse(w, "this is no instruction");
            if (kind == isa::word_kind::other_unit) refuse(w, not_of_a_row(word, kernel_.arch));
            const instruction insn = isa::decode(word, kernel_.words);
            if (kind == isa::word_kind::front_end && !insn.is(opcode::nop) && !insn.is(opcode::incrwc) &&
                !insn.is(opcode::setrwc))
                refuse(w, "only INCRWC, SETRWC and NOP of the front end can stand in a row");
            if (insn.is(opcode::sfpconfig) || insn.names_template())
                refuse(w, "configuration cannot change within a row; it belongs in .init");
        }
    }

    struct place_in_run {
        std::int64_t iteration = -1; ///< -1: before the loop; behind it they go on counting
        loop_place at;
    };
    /// Where an executed instruction stands. Words of `.init` count from 0 in iteration -1.
    place_in_run place_of(const executed_instruction& each) const {
        const unsigned unit = each.scheduled ? static_cast<unsigned>(each.insn.unit) : issued_unit;
        const auto init = static_cast<std::int64_t>(kernel_.init.size()),
                   length = static_cast<std::int64_t>(kernel_.loop.size());
        if (each.word < init) return {-1, {static_cast<std::size_t>(each.word), unit}};
        const std::int64_t in_loop = each.word - init;
        return {in_loop / length, {static_cast<std::size_t>(in_loop % length), unit}};
    }

    void index() {
        for (const executed_instruction* each : run_) {
            const place_in_run place = place_of(*each);
            const auto key = std::pair(place.iteration, place.at);
            if (!executed_.emplace(key, each).second && place.iteration >= 0)
                refuse(place.at.first, "it stands for more than one instruction");
            if (place.iteration >= 0 && writes_by_number(each->insn))
                refuse(place.at.first, "the contents of L7 say where a result goes");
            const field_use use = uses(each->insn);
            isa::register_set written = use.fixed_writes;
            for (unsigned f = 0; f < field_count; ++f) {
                instruction copy = each->insn;
                if (use.writes[f] && isa::writable(field_of(copy, f)))
                    written |= isa::only(field_of(copy, f));
            }
            for (unsigned r = 0; r < isa::lreg_count; ++r)
                if (isa::contains(written, r)) writes_[r].push_back(each);
            if (each->lanes != all_lanes) partial_.insert(place.at);
        }
        for (auto& of_register : writes_)
            std::stable_sort(of_register.begin(), of_register.end(),
                             [](const auto* a, const auto* b) { return a->visible < b->visible; });
    }

    field_use uses(const instruction& insn) const {
        field_use use = use_of(insn, kernel_.arch);
        if (use.indirect) {
            // L7 says which register VA is. Those that the loop does not write stay where they are.
            instruction direct = insn;
            direct.mod = static_cast<std::uint8_t>(direct.mod & ~4u);
            use = use_of(direct, kernel_.arch);
            use.reads[va] = false;
            use.fixed_reads |= isa::only(7);
            use.indirect = true;
        }
        return use;
    }

    /// Who wrote what is in a register at the start of a cycle; null: nobody.
    const executed_instruction* writer_at(unsigned lreg, std::int64_t cycle,
                                          const executed_instruction* but = nullptr) const {
        const executed_instruction* found = nullptr;
        for (const executed_instruction* each : writes_[lreg]) {
            if (each->visible > cycle) break;
            if (each == but) continue;
            if (found && found->visible == each->visible && place_of(*found).iteration >= 0)
                refuse(place_of(*found).at.first,
                       fmt::format("it and another instruction write L{} in one cycle", lreg));
            found = each;
        }
        return found;
    }

    const executed_instruction& instance(const loop_place& at, std::int64_t iteration) const {
        const auto found = executed_.find({iteration, at});
        if (found == executed_.end()) refuse(at.first, "it is not executed in every iteration");
        return *found->second;
    }

    /// Instructions that something needs, and how many iterations they are beyond it.
    using distances = std::map<loop_place, std::int64_t>;

    /// What an instruction of the loop needs: its operands, and the load that schedules it.
    distances slice_of(const loop_place& sink) {
        distances found{{sink, 0}};
        std::vector<loop_place> work{sink}, in_part;
        const auto need = [&](const executed_instruction* writer) {
            if (!writer) return;
            const place_in_run place = place_of(*writer);
            if (place.iteration < 0) return;
            const std::int64_t distance = place.iteration - looked_at;
            const auto [known, is_new] = found.emplace(place.at, distance);
            if (is_new) work.push_back(place.at);
            // What the row before left behind is in the slice already, as this row's own.
            else if (known->second != distance && known->second != distance + 1)
                refuse(place.at.first, "a row reads what one further back than the row before has computed");
        };
        while (!work.empty() || !in_part.empty()) {
            if (work.empty()) {
                // What an instruction leaves in lanes that are off: a result of these rows, or nothing that
                // matters.
                const loop_place at = in_part.back();
                in_part.pop_back();
                const executed_instruction& each = instance(at, looked_at + found.at(at));
                for (unsigned r = 0; r < isa::lreg_count; ++r)
                    if (isa::contains(each.insn.use.results(), r))
                        if (const executed_instruction* const before = writer_at(r, each.visible, &each);
                            before && belongs_to(found, *before))
                            need(before);
                continue;
            }
            const loop_place at = work.back();
            work.pop_back();
            const executed_instruction& each = instance(at, looked_at + found.at(at));
            const field_use use = uses(each.insn);
            instruction copy = each.insn;
            for (unsigned f = 0; f < field_count; ++f)
                if (use.reads[f]) need(writer_at(field_of(copy, f), read_cycle(each)));
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                if (isa::contains(use.fixed_reads, r)) need(writer_at(r, each.begin));
            if (each.scheduled) need(&instance({at.first, issued_unit}, looked_at + found.at(at)));
            if (partial_.count(at) && effects_of(at, each.insn).predicated) in_part.push_back(at);
        }
        return found;
    }
    bool belongs_to(const distances& found, const executed_instruction& each) const {
        const place_in_run place = place_of(each);
        const auto known = found.find(place.at);
        return known == found.end() || known->second == place.iteration - looked_at;
    }
    /// SFPSWAP exchanges what its registers hold in its second cycle.
    static std::int64_t read_cycle(const executed_instruction& each) {
        return each.insn.latency == isa::latency_class::swap ? each.visible - 1 : each.begin;
    }

    /// Index of a word behind the loop; nothing for others.
    std::optional<std::size_t> behind(const executed_instruction& each) const {
        const std::size_t first = kernel_.init.size() + kernel_.loop.size() * expansion_run;
        if (each.word < static_cast<std::int64_t>(first)) return std::nullopt;
        return static_cast<std::size_t>(each.word) - first;
    }
    [[noreturn]] void refuse_behind(std::size_t word, const std::string& why) const {
        const isa::source_word& at = kernel_.tail[word];
        throw row_error(at.line, isa::disassemble(at.word, kernel_.words) + ": " + why);
    }

    /// Words behind the loop that are there for themselves and not for the last rows: those that store where
    /// no row does, and what they need. What they need of the loop is what the last row left.
    void look_behind() {
        const auto is_of_rows = [&](const executed_instruction& store) {
            for (const auto& [key, each] : executed_) {
                if (key.first != looked_at || !each->insn.is(opcode::sfpstore)) continue;
                const unsigned step = instance(key.second, looked_at + 1).dst_address - each->dst_address;
                for (unsigned row = 0; row < expansion_run; ++row)
                    if (((each->dst_address + step * (row - looked_at) - store.dst_address) & 0x3ffu) == 0)
                        return true;
            }
            return false;
        };
        std::vector<const executed_instruction*> work;
        std::set<std::size_t> words;
        const auto want = [&](const executed_instruction* each) {
            if (words.insert(*behind(*each)).second) work.push_back(each);
        };
        for (const executed_instruction* each : run_)
            if (behind(*each) && each->insn.is(opcode::sfpstore) && !each->insn.names_template() &&
                !is_of_rows(*each)) {
                if (each->scheduled) refuse_behind(*behind(*each), "it schedules a store of its own");
                want(each);
            }
        while (!work.empty()) {
            const executed_instruction& each = *work.back();
            work.pop_back();
            isa::register_set reads = each.insn.use.reads;
            if (each.lanes != all_lanes) reads |= each.insn.use.results();
            for (unsigned r = 0; r < isa::lreg_count; ++r) {
                if (!isa::contains(reads, r)) continue;
                const executed_instruction* const writer = writer_at(r, read_cycle(each), &each);
                if (!writer) continue;
                if (behind(*writer)) {
                    if (writer->scheduled)
                        refuse_behind(*behind(*writer), "what it schedules is read behind the loop");
                    want(writer);
                    continue;
                }
                const place_in_run place = place_of(*writer);
                if (place.iteration < 0) {
                    if (r < isa::general_lregs) row_.constants |= isa::only(r);
                    continue;
                }
                if (r >= isa::general_lregs || place.iteration + 1 != expansion_run)
                    refuse_behind(*behind(each),
                                  fmt::format("it reads what another row than the last left in L{}", r));
                read_behind_.insert(place.at);
                row_.left_behind.insert({place.at, r});
            }
            if (probe_.effects(each.insn).flags)
                refuse_behind(*behind(each), "it changes lane flags behind the loop");
        }
        for (std::size_t w = 0; w < kernel_.tail.size(); ++w) {
            const std::uint32_t word = kernel_.tail[w].word;
            if (!words.empty() && isa::classify(word, kernel_.arch) == isa::word_kind::front_end)
                words.insert(w);
        }
        row_.tail_words.assign(words.begin(), words.end());
    }

    /// All that is needed for what the loop stores, leaves behind, and for its changes of lane flags.
    void collect() {
        std::vector<loop_place> sinks;
        for (const auto& [key, each] : executed_)
            if (key.first == looked_at &&
                (each->insn.is(opcode::sfpstore) || effects_of(key.second, each->insn).flags ||
                 read_behind_.count(key.second)))
                sinks.push_back(key.second);
        if (sinks.empty())
            throw row_error(kernel_.loop.front().line,
                            "the row stores nothing, nor does the code behind the loop read what it leaves");
        // Of which row a sink is, what it shares with others says.
        std::vector<distances> slices;
        slices.reserve(sinks.size());
        for (const loop_place& sink : sinks) slices.push_back(slice_of(sink));
        std::vector<bool> done(slices.size(), false);
        for (std::size_t left = slices.size(); left > 0;) {
            const auto shared = [&](const distances& slice) {
                return std::find_if(slice.begin(), slice.end(),
                                    [&](const auto& each) { return distance_.count(each.first) > 0; });
            };
            std::size_t next = slices.size();
            for (std::size_t i = 0; i < slices.size(); ++i)
                if (!done[i] && (next == slices.size() || shared(slices[i]) != slices[i].end())) {
                    next = i;
                    if (shared(slices[i]) != slices[i].end()) break;
                }
            const auto common = shared(slices[next]);
            const std::int64_t shift =
                common == slices[next].end() ? 0 : distance_.at(common->first) - common->second;
            for (const auto& [at, distance] : slices[next])
                if (distance_.emplace(at, distance + shift).first->second != distance + shift)
                    refuse(at.first, "it serves more than one row");
            done[next] = true;
            --left;
        }
        for (const auto& [at, distance] : distance_) describe(at, distance);
    }

    void describe(const loop_place& at, std::int64_t distance) {
        const executed_instruction& each = instance(at, looked_at + distance);
        row_instruction& row = found_[at];
        row.at = at;
        row.what = &each;
        row.use = uses(each.insn);
        row.partial = partial_.count(at) && effects_of(at, each.insn).predicated;
        if (each.scheduled) row.host = at.first;
        const auto value = [&](unsigned lreg, const executed_instruction* writer) {
            read_value found{std::nullopt, lreg};
            if (!writer || place_of(*writer).iteration < 0) {
                // No word of a plain kernel names that one.
                if (lreg == isa::macro_lreg)
                    refuse(at.first, fmt::format("it reads L{}, which no row writes", lreg));
                return found;
            }
            const place_in_run place = place_of(*writer);
            found.from = place.at;
            const auto known = distance_.find(place.at);
            if (known == distance_.end()) return found;
            if (known->second != place.iteration - looked_at) {
                if (lreg >= isa::general_lregs)
                    refuse(at.first, fmt::format("it reads what the row before left in L{}", lreg));
                row_.left_behind.insert(found);
            }
            return found;
        };
        instruction copy = each.insn;
        for (unsigned f = 0; f < field_count; ++f) {
            if (!row.use.reads[f]) continue;
            const unsigned lreg = field_of(copy, f);
            const executed_instruction* const writer = writer_at(lreg, read_cycle(each));
            row.fields[f] = value(lreg, writer);
            if (writer_at(lreg, each.begin) != writer) refuse(at.first, "its operand changes while it works");
        }
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(row.use.fixed_reads, r)) row.fixed[r] = value(r, writer_at(r, each.begin));
        if (!row.partial || each.insn.latency == isa::latency_class::swap) return;
        for (unsigned r = 0; r < isa::lreg_count; ++r) {
            if (!isa::contains(each.insn.use.results(), r)) continue;
            const executed_instruction* const before = writer_at(r, each.visible, &each);
            if (!before || place_of(*before).iteration < 0) continue;
            const auto known = distance_.find(place_of(*before).at);
            if (known != distance_.end() && known->second == place_of(*before).iteration - looked_at)
                row.kept[r] = value(r, before);
        }
    }

    observed_effects effects_of(const loop_place& at, const instruction& insn) {
        const auto known = effects_.find(at);
        return known != effects_.end() ? known->second
                                       : effects_.emplace(at, probe_.effects(insn)).first->second;
    }

    /// In the order of time; what changes something comes behind what reads in the same cycle.
    void order() {
        const auto rank = [&](const row_instruction& row) {
            if (effects_of(row.at, row.what->insn).flags) return 2;
            return row.what->insn.is(opcode::sfpstore) ? 1 : 0;
        };
        // Rows that have nothing to do with each other one behind the other: they need fewer registers.
        std::map<loop_place, loop_place> leader;
        for (const auto& [at, row] : found_) leader[at] = at;
        const std::function<loop_place(loop_place)> leader_of = [&](loop_place at) {
            while (leader.at(at) != at) at = leader.at(at);
            return at;
        };
        bool flags = false;
        for (const auto& [at, row] : found_) {
            flags |= effects_of(at, row.what->insn).flags;
            const loop_place& here = at; // a lambda cannot hold a structured binding
            const auto join = [&](const read_value& value) {
                if (value.from) leader[leader_of(*value.from)] = leader_of(here);
            };
            for (unsigned f = 0; f < field_count; ++f)
                if (row.use.reads[f]) join(row.fields[f]);
            for (const auto& each : row.fixed) join(each.second);
            for (const auto& each : row.kept) join(each.second);
            if (row.host) leader[leader_of({*row.host, issued_unit})] = leader_of(at);
        }
        std::map<loop_place, std::int64_t> start;
        for (const auto& [at, row] : found_) {
            const loop_place whole = leader_of(at);
            const auto known = start.emplace(whole, row.what->begin).first;
            known->second = std::min(known->second, row.what->begin);
        }
        for (const auto& [at, row] : found_) row_.instructions.push_back(row);
        const auto key = [&](const row_instruction& row) {
            const loop_place whole = leader_of(row.at);
            return std::tuple(flags ? 0 : start.at(whole), flags ? loop_place{} : whole, row.what->begin,
                              rank(row), row.at);
        };
        std::sort(row_.instructions.begin(), row_.instructions.end(),
                  [&](const auto& a, const auto& b) { return key(a) < key(b); });
    }

    void fill_in() {
        std::int64_t first = row_.instructions.front().what->begin, last = first;
        std::optional<unsigned> step;
        for (row_instruction& row : row_.instructions) {
            first = std::min(first, row.what->begin);
            last = std::max(last, row.what->begin);
            for (unsigned f = 0; f < field_count; ++f)
                if (row.use.reads[f] && !row.fields[f].from) row_.constants |= isa::only(row.fields[f].lreg);
            for (const auto& [lreg, value] : row.fixed)
                if (!value.from) row_.constants |= isa::only(lreg);
            // INDIRECT_VA: any register that the loop leaves alone.
            if (row.use.indirect)
                for (unsigned r = 0; r < 15; ++r)
                    if (std::none_of(writes_[r].begin(), writes_[r].end(),
                                     [&](const auto* each) { return place_of(*each).iteration >= 0; }))
                        row_.constants |= isa::only(r);
            if (!is_access(row.what->insn)) continue;
            const std::int64_t iteration = looked_at + distance_.at(row.at);
            const unsigned here = row.what->dst_address, there = instance(row.at, iteration + 1).dst_address,
                           before = instance(row.at, iteration - 1).dst_address;
            const unsigned change = (there - here) & 0x3ffu;
            if (((here - before) & 0x3ffu) != change || (step && *step != change))
                refuse(row.at.first, "its Dst address does not advance like that of others");
            step = change;
            // Bit 0 of the address of an SFPLOADMACRO belongs to its register.
            const bool macro = row.host || row.what->insn.is(opcode::sfploadmacro);
            row.address = macro ? here & ~1u : here;
        }
        row_.step = step.value_or(0);
        for (row_instruction& row : row_.instructions)
            row.address = (row.address - row_.step * static_cast<unsigned>(looked_at)) & 0x3ffu;
        row_.begin = first;
        row_.span = static_cast<unsigned>(last - first) + 1;
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(row_.constants, r))
                for (const executed_instruction* each : writes_[r])
                    if (place_of(*each).iteration >= 0)
                        throw row_error(0, fmt::format("L{} is read before the loop writes it", r));
    }

    /// Words of .init without which the loop would read something else.
    void set_up() {
        std::set<std::size_t> words;
        std::vector<const executed_instruction*> work;
        std::map<unsigned, const executed_instruction*> constant;
        const auto keep = [&](const executed_instruction* each) {
            if (each->scheduled || each->insn.is(opcode::sfploadmacro))
                throw row_error(0, "a macro of .init sets up what the loop reads");
            if (words.insert(static_cast<std::size_t>(each->word)).second) work.push_back(each);
        };
        for (const executed_instruction* each : run_) {
            if (place_of(*each).iteration >= 0) break;
            if (each->scheduled || each->insn.unit == isa::sub_unit::front_end) continue;
            if (each->insn.is(opcode::sfpconfig)) {
                const unsigned to = each->insn.vd;
                if (to == 15) keep(each);
                else if (to >= 11 && isa::contains(row_.constants, to)) constant[to] = each;
            } else if (probe_.effects(each->insn).flags) {
                keep(each);
            }
        }
        for (const auto& each : constant) keep(each.second);
        const std::int64_t loop_begins = instance_of_first_loop_word();
        isa::register_set from_init = row_.constants;
        for (const read_value& left : row_.left_behind) from_init |= isa::only(left.lreg);
        for (unsigned r = 0; r < isa::general_lregs; ++r)
            if (isa::contains(from_init, r))
                if (const executed_instruction* const writer = writer_at(r, loop_begins)) keep(writer);
        while (!work.empty()) {
            const executed_instruction* const each = work.back();
            work.pop_back();
            isa::register_set reads = each->insn.use.reads;
            if (each->lanes != all_lanes) reads |= each->insn.use.results();
            for (unsigned r = 0; r < isa::general_lregs; ++r)
                if (isa::contains(reads, r))
                    if (const executed_instruction* const writer = writer_at(r, each->begin, each))
                        keep(writer);
            for (unsigned r = 11; r < 15; ++r)
                if (isa::contains(reads, r))
                    for (const executed_instruction* other : run_)
                        if (other->word < each->word && other->insn.is(opcode::sfpconfig) &&
                            other->insn.vd == r)
                            keep(other);
        }
        for (std::size_t w = 0; w < kernel_.init.size(); ++w) {
            const std::uint32_t word = kernel_.init[w].word;
            const bool front_end = isa::classify(word, kernel_.arch) == isa::word_kind::front_end;
            const bool fills =
                isa::decode(word, kernel_.words).is(opcode::sfpnop) && w > 0 && words.count(w - 1);
            if (front_end || fills) words.insert(w);
        }
        row_.init_words.assign(words.begin(), words.end());
    }

    std::int64_t instance_of_first_loop_word() const {
        for (const executed_instruction* each : run_)
            if (place_of(*each).iteration == 0 && !each->scheduled) return each->begin;
        return 0;
    }

    const isa::kernel& kernel_;
    semantics_probe probe_;
    std::vector<const executed_instruction*> run_; ///< in the order of time
    std::map<std::pair<std::int64_t, loop_place>, const executed_instruction*> executed_;
    std::array<std::vector<const executed_instruction*>, isa::lreg_count> writes_;
    std::set<loop_place> partial_;
    std::map<loop_place, observed_effects> effects_;
    distances distance_;               ///< iterations beyond the one that is looked at
    std::set<loop_place> read_behind_; ///< by the code behind the loop
    std::map<loop_place, row_instruction> found_;
    row_record row_;
};

} // namespace

row_record find_row(const isa::kernel& kernel, const std::vector<executed_instruction>& record) {
    return row_finder(kernel, record).find();
}

} // namespace sfpu::optimizer
