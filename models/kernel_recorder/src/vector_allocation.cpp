#include "vector_constants.h"
#include "vector_liveness.h"
#include "vector_schedule.h"

#include <sfpu/isa/disassembler.h>
#include <sfpu/isa/table.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <algorithm>
#include <map>
#include <utility>

namespace sfpu::kernel_recorder::vector {
namespace {

using namespace isa::opcode;
constexpr unsigned nowhere = 99;

/// Eight registers were not enough, or the wrong ones.
class no_register : public kernel_error {
public:
    using kernel_error::kernel_error;
};

} // namespace

class allocation {
public:
    allocation(register_allocator& allocator, const graph& values, const std::vector<step>& steps,
               bool keep_raw)
        : state_(allocator), values_(values), steps_(steps), live_(values, steps, allocator.arch_, keep_raw) {
        for (unsigned r = 0; r < 8; ++r) at_start_[r] = allocator.home_[r] != none;
    }

    std::vector<placed_word> run() {
        for (at_ = 0; at_ < steps_.size(); ++at_) {
            const step& s = steps_[at_];
            temporaries_ = 0;
            switch (s.what) {
            case step_kind::instruction:
                place(s);
                restore();
                break;
            case step_kind::constant: place_constant(s); break;
            case step_kind::merge: place_merge(s); break;
            case step_kind::pinned_read: place_pinned_read(s); break;
            case step_kind::pinned_write: place_pinned_write(s); break;
            case step_kind::raw_word: place_raw(s); break;
            }
            free_dead();
        }
        return std::move(out_);
    }

private:
    std::uint32_t last_use(value v) const { return live_.uses[v].empty() ? 0 : live_.uses[v].back(); }
    std::uint32_t next_use(value v) const {
        const auto found = std::upper_bound(live_.uses[v].begin(), live_.uses[v].end(), at_);
        return found == live_.uses[v].end() ? never : *found;
    }
    /// Whether nobody needs it behind this step.
    bool dies(value v) const { return live_.uses[v].empty() || live_.uses[v].back() <= at_; }

    /// Registers that a value cannot be in until step `last`, and in any case while the present one is
    /// carried out.
    registers forbidden(std::uint32_t last) const {
        registers result = live_.reserved[at_];
        const auto end = std::min<std::uint32_t>(last, static_cast<std::uint32_t>(steps_.size()));
        for (std::uint32_t i = at_ + 1; i < end; ++i) result |= live_.reserved[i] | live_.clobbered[i];
        return result;
    }

    // --- registers -----------------------------------------------------------------------------------------

    /// A constant that is loaded where it is needed.
    bool is_loose_constant(value v) const {
        return v != none && values_.at(v).what == node_kind::constant && !made_here_.count(v);
    }
    unsigned register_of(value v) const {
        const node& n = values_.at(v);
        if (n.what == node_kind::constant_lreg) return n.lreg;
        if (is_loose_constant(v)) {
            const auto lreg = lreg_of_constant(n.word);
            if (lreg) return *lreg;
            for (unsigned r = 0; r < 8; ++r) {
                const value w = state_.home_[r];
                if (w != none && is_loose_constant(w) && values_.at(w).word == n.word &&
                    values_.within(steps_[at_].state, state_.loaded_in_[r]))
                    return r;
            }
            return nowhere;
        }
        for (unsigned r = 0; r < 8; ++r)
            if (state_.home_[r] == v) return r;
        throw no_register("a variable is used" + behind(" at ", steps_[at_].place) +
                          behind(", made at ", n.place) +
                          ", whose register words of the kernel's own have overwritten, at a point where no "
                          "other register was free");
    }

    void free_dead() {
        for (value& v : state_.home_)
            if (v != none && !is_loose_constant(v) && dies(v)) v = none;
    }

    /// When a register that holds a loose constant is of use again.
    std::uint32_t use_of_constant(unsigned r) const {
        const std::uint32_t bits = values_.at(state_.home_[r]).word;
        std::uint32_t soonest = never;
        const auto found = constant_uses_.find(bits);
        if (found == constant_uses_.end()) return never;
        const auto next = std::lower_bound(found->second.begin(), found->second.end(), at_ + 1);
        if (next != found->second.end()) soonest = *next;
        return soonest;
    }

    /// A register for a value that lives until `last`; `avoid` stay as they are.
    unsigned pick(std::uint32_t last, registers avoid, registers wish = 0) {
        const registers bad = avoid | forbidden(last) | temporaries_;
        unsigned best = nowhere;
        std::uint32_t best_rank = 0;
        for (unsigned r = 0; r < 8; ++r) {
            if (bad >> r & 1) continue;
            const value v = state_.home_[r];
            if (v != none && !is_loose_constant(v)) continue;
            // Wished for, then free, then the constant that is needed last.
            std::uint32_t rank = v == none ? never - 1 - r : std::min(use_of_constant(r), never - 20);
            if (wish >> r & 1) rank = never;
            if (best == nowhere || rank > best_rank) {
                best = r;
                best_rank = rank;
            }
        }
        if (best == nowhere) fail();
        state_.home_[best] = none;
        return best;
    }

    /// The place with words before it, if it is known.
    static std::string behind(const char* before, const source_place& place) {
        const std::string text = to_text(place);
        return text.empty() ? text : before + text;
    }

    [[noreturn]] void fail() const {
        std::string text = "the kernel holds more values at a time than there are registers";
        const step& s = steps_[at_];
        text += behind(", at ", s.place);
        if (s.what == step_kind::instruction)
            text += ", at " + isa::disassemble(s.word, state_.arch_).substr(0, 12);
        text += " (step " + std::to_string(at_ + 1) + " of " + std::to_string(steps_.size()) + "):";
        for (unsigned r = 0; r < 8; ++r) {
            const value v = state_.home_[r];
            text += " L" + std::to_string(r) +
                    (v != none ? " holds value " + std::to_string(v) + behind(" of ", values_.at(v).place)
                     : live_.reserved[at_] >> r & 1 ? " is the kernel's own"
                                                    : " is not free long enough") +
                    (r < 7 ? "," : "");
        }
        throw no_register(text);
    }

    void emit(std::uint32_t word) { out_.push_back({word, false, steps_[at_].place}); }
    void move_all_lanes(unsigned to, unsigned from) {
        emit(std::uint32_t{sfpmov} << 24 | from << 8 | to << 4 | 2u);
    }
    void move(unsigned to, unsigned from) { emit(std::uint32_t{sfpmov} << 24 | from << 8 | to << 4); }

    void load_constant(unsigned to, std::uint32_t bits) {
        for (const std::uint32_t word : words_that_load(to, bits)) emit(word);
    }

    /// Where a value can be read; constants are loaded.
    unsigned readable(value v, registers avoid, bool for_vd = false) {
        const unsigned found = register_of(v);
        if (found < 8 || (found != nowhere && !for_vd) || (found != nowhere && found < 12)) return found;
        if (found != nowhere) { // SFPSTORE reads no register above L11
            const unsigned r = pick(at_, avoid);
            temporaries_ |= 1u << r;
            move_all_lanes(r, found);
            return r;
        }
        const unsigned front = needed_again(values_.at(v).word) ? untouched(avoid) : nowhere;
        if (front != nowhere) {
            load_in_front(front, v);
            return front;
        }
        const unsigned r = pick(at_, avoid, 0);
        load_constant(r, values_.at(v).word);
        state_.home_[r] = v;
        state_.loaded_in_[r] = steps_[at_].state;
        return r;
    }

    /// The last register that nothing has used since the function started.
    unsigned untouched(registers avoid) const {
        if (steps_.front().state != 0 || !values_.within(steps_[at_].state, 0)) return nowhere;
        registers bad = avoid | temporaries_ | forbidden(at_ + 1);
        for (std::uint32_t i = 0; i <= at_; ++i) bad |= live_.reserved[i] | live_.clobbered[i];
        for (const placed_word& w : out_) {
            if (w.raw) bad |= isa::classify(w.word, state_.arch_) == isa::word_kind::sfpu ? 0xffu : 0u;
            else {
                const isa::register_use use = isa::decode(w.word, state_.arch_).use;
                bad |= use.reads | use.writes;
            }
        }
        for (unsigned r = 8; r-- > 0;)
            if (!(bad >> r & 1) && state_.home_[r] == none && !at_start_[r]) return r;
        return nowhere;
    }
    /// A constant that is needed again is loaded before everything else, in all lanes.
    void load_in_front(unsigned r, value v) {
        const auto before = static_cast<std::ptrdiff_t>(out_.size());
        load_constant(r, values_.at(v).word);
        const auto count = static_cast<std::ptrdiff_t>(out_.size()) - before;
        std::rotate(out_.begin() + in_front_, out_.begin() + before, out_.end());
        in_front_ += count;
        state_.home_[r] = v;
        state_.loaded_in_[r] = 0;
    }

    /// Puts what is in `r` elsewhere.
    void vacate(unsigned r, registers avoid) {
        const value v = state_.home_[r];
        if (v == none) return;
        if (is_loose_constant(v) || dies(v)) {
            state_.home_[r] = none;
            return;
        }
        const unsigned to = pick(last_use(v), avoid | 1u << r);
        move_all_lanes(to, r);
        state_.home_[to] = v;
        state_.home_[r] = none;
    }

    /// A register that holds `v` and that the instruction may write, for a result that lives until `last`.
    /// Never one of `not_these`; a copy goes to none of `busy` either.
    unsigned consumable(value v, std::uint32_t last, registers not_these, registers busy, registers wish) {
        const unsigned from = register_of(v);
        const bool own = from < 8 && !(forbidden(last) >> from & 1) && !(not_these >> from & 1);
        if (own && !is_loose_constant(v) && dies(v)) return from;
        if (own && is_loose_constant(v) && use_of_constant(from) == never) {
            state_.home_[from] = none;
            return from;
        }
        const unsigned to = pick(last, not_these | busy | (from < 8 ? 1u << from : 0u), wish);
        if (from != nowhere) move_all_lanes(to, from);
        else load_constant(to, values_.at(v).word);
        return to;
    }

    /// What the kernel's own words keep in `r` waits elsewhere while the instruction needs that register.
    void save(unsigned r, registers avoid) {
        const unsigned to = pick(at_, avoid | 1u << r);
        temporaries_ |= 1u << to;
        move_all_lanes(to, r);
        saved_.emplace_back(r, to);
    }
    void restore() {
        for (const auto& [r, from] : saved_) {
            move_all_lanes(r, from);
            state_.home_[r] = none;
        }
        saved_.clear();
    }

    // --- steps ---------------------------------------------------------------------------------------------

    /// A word of the kernel's own. Constants that were in the registers that it writes are not there any
    /// more. Variables of an earlier piece go elsewhere, or are lost: nobody knows whether they are needed
    /// again.
    void place_raw(const step& s) {
        for (unsigned r = 0; r < 8; ++r)
            if (live_.clobbered[at_] >> r & 1) {
                if (has_room(last_use(state_.home_[r]), live_.clobbered[at_]))
                    vacate(r, live_.clobbered[at_]);
                state_.home_[r] = none;
            }
        out_.push_back({s.word, true, s.place});
        if (s.word >> 24 != sfploadmacro) return;
        for (value& v : state_.home_) // nobody knows what a macro writes
            if (is_loose_constant(v)) v = none;
    }

    registers sources_of(const step& s) const {
        registers result = 0;
        each_source(s, [&](value v) {
            const unsigned r = register_of(v);
            if (r < 8) result |= 1u << r;
        });
        return result;
    }

    /// Makes `made` the occupant of a register.
    void settle(unsigned r, value made) {
        for (value& v : state_.home_)
            if (v == made) v = none;
        state_.home_[r] = made;
    }

    void place_fixed(const step& s) {
        registers wanted = 0;
        for (unsigned r = 0; r < s.fixed.size(); ++r)
            if (s.fixed[r] != none) wanted |= 1u << r;
        for (unsigned r = 0; r < s.fixed.size(); ++r) {
            const value v = s.fixed[r];
            if (v == none || register_of(v) == r) continue;
            if (live_.reserved[at_] >> r & 1) save(r, wanted | sources_of(s));
            else vacate(r, wanted | sources_of(s));
            const unsigned from = register_of(v);
            if (from == nowhere) {
                load_constant(r, values_.at(v).word);
                state_.home_[r] = v;
                state_.loaded_in_[r] = s.state;
                continue;
            }
            move_all_lanes(r, from);
            if (from < 8 && !is_loose_constant(v) && !(forbidden(last_use(v)) >> r & 1)) settle(r, v);
            temporaries_ |= 1u << r;
        }
    }

    std::uint32_t fields(const step& s, unsigned vd) {
        std::uint32_t word = s.word;
        const registers busy = sources_of(s) | (vd < 8 ? 1u << vd : 0u);
        const auto put = [&](value v, unsigned shift) {
            if (v == none) return;
            const unsigned r = readable(v, busy | fields_used_);
            if (r < 8) fields_used_ |= 1u << r;
            word |= r << shift;
        };
        fields_used_ = 0;
        put(s.va, 16);
        put(s.vb, 12);
        put(s.vc, 8);
        return word;
    }
    static unsigned vd_shift(std::uint32_t word) {
        const unsigned opcode = word >> 24;
        return opcode == sfpload || opcode == sfpstore || opcode == sfplut ? 20 : 4;
    }
    void emit_with_vd(std::uint32_t word, unsigned vd) { emit(word | vd << vd_shift(word)); }

    void place(const step& s) {
        place_fixed(s);
        const unsigned opcode = s.word >> 24;
        if (s.made_fixed[0] != none || opcode == sfptransp) return place_transpose(s);
        if (opcode == sfpswap) return place_swap(s);
        if (s.made == none) { // a store, predication, configuration, or a result that nobody needs
            if (opcode == sfpstore) {
                const unsigned from = readable(s.vd, 0, true);
                emit_with_vd(s.word, from);
            } else {
                emit(fields(s, nowhere));
            }
            return;
        }
        const std::uint32_t last = last_use(s.made);
        if (place_immediate(s, last)) return;
        if (s.overwrites != none) return place_overwriting(s, last);
        if (s.vd != none) {
            const std::uint32_t word = fields(s, nowhere); // constants among the sources first
            const unsigned d = consumable(s.vd, last, 0, sources_of(s) | fields_used_, live_.wish[s.made]);
            emit_with_vd(word, d);
            settle(d, s.made);
            return;
        }
        const std::uint32_t word = fields(s, nowhere);
        free_sources(s);
        const unsigned d = pick(last, 0, live_.wish[s.made]);
        emit_with_vd(word, d);
        settle(d, s.made);
    }

    bool is_lreg(value v, unsigned lreg) const {
        return v != none && values_.at(v).what == node_kind::constant_lreg && values_.at(v).lreg == lreg;
    }
    /// SFPADDI or SFPMULI for a value that nobody needs any more and a BF16 number that is in no register, if
    /// it is not needed again or there is no room for it.
    bool place_immediate(const step& s, std::uint32_t last) {
        const unsigned opcode = s.word >> 24;
        const bool adds = opcode == sfpadd && is_lreg(s.va, 10),
                   multiplies = opcode == sfpmul && is_lreg(s.vc, 9);
        if ((!adds && !multiplies) || (s.word & 15u) != 0) return false;
        const value operands[2] = {adds ? s.vb : s.va, adds ? s.vc : s.vb};
        for (unsigned i = 0; i < 2; ++i) {
            const value v = operands[i], number = operands[1 - i];
            if (!is_loose_constant(number) || is_loose_constant(v) || register_of(number) != nowhere)
                continue;
            const std::uint32_t bits = values_.at(number).word;
            const unsigned d = register_of(v);
            if ((bits & 0xffffu) != 0 || d >= 8 || !dies(v) || (forbidden(last) >> d & 1)) continue;
            if (s.overwrites != none && s.overwrites != v) continue;
            if (needed_again(bits) && has_room(last)) continue;
            emit(std::uint32_t{adds ? sfpaddi : sfpmuli} << 24 | (bits >> 16) << 8 | d << 4);
            state_.home_[d] = none;
            settle(d, s.made);
            return true;
        }
        return false;
    }
    bool needed_again(std::uint32_t bits) const {
        const auto found = constant_uses_.find(bits);
        return found != constant_uses_.end() && !found->second.empty() && found->second.back() > at_;
    }
    bool has_room(std::uint32_t last, registers avoid = 0) const {
        const registers bad = avoid | forbidden(last) | temporaries_;
        for (unsigned r = 0; r < 8; ++r)
            if (!(bad >> r & 1) && (state_.home_[r] == none || is_loose_constant(state_.home_[r])))
                return true;
        return false;
    }
    /// Registers of sources that nobody needs any more can take the result.
    void free_sources(const step& s) {
        const registers sources = sources_of(s);
        for (unsigned r = 0; r < 8; ++r) {
            const value v = state_.home_[r];
            if ((sources >> r & 1) && !is_loose_constant(v) && dies(v)) state_.home_[r] = none;
        }
    }

    /// The result goes into the register of a variable whose other lanes stay.
    void place_overwriting(const step& s, std::uint32_t last) {
        const value old = s.overwrites;
        std::uint32_t word = fields(s, nowhere);
        const registers used = fields_used_;
        const unsigned d = variable(old, last, used | sources_of(s), live_.wish[s.made]);
        if (s.vd != none && s.vd != old) {
            const unsigned from = readable(s.vd, used | 1u << d);
            if (used >> d & 1) { // another operand is the old variable itself
                const unsigned t = pick(at_, used | 1u << d);
                move_all_lanes(t, from);
                emit_with_vd(word, t);
                settle_after(d, old, s.made);
                move(d, t);
                return;
            }
            move(d, from);
        }
        emit_with_vd(word, d);
        settle_after(d, old, s.made);
    }
    /// The register of a variable that is changed in some lanes.
    unsigned variable(value v, std::uint32_t last, registers busy, registers wish) {
        if (is_loose_constant(v) && !lreg_of_constant(values_.at(v).word))
            throw kernel_error("a variable that was given a constant before a REPLAY is changed under a "
                               "condition behind it; give it the constant behind the REPLAY");
        return consumable(v, last, 0, busy, wish);
    }
    void settle_after(unsigned d, value old, value made) {
        if (state_.home_[d] == old && dies(old)) state_.home_[d] = none;
        settle(d, made);
    }

    void place_swap(const step& s) {
        const std::uint32_t last_d = s.made == none ? at_ : last_use(s.made);
        const std::uint32_t last_c = s.made_vc == none ? at_ : last_use(s.made_vc);
        const unsigned d = consumable(s.vd, last_d, 0, sources_of(s), live_.wish[s.made]);
        temporaries_ |= 1u << d;
        const unsigned c = consumable(s.vc, last_c, 1u << d, 0, live_.wish[s.made_vc]);
        emit(s.word | c << 8 | d << 4);
        for (unsigned r : {c, d}) state_.home_[r] = none;
        if (s.made != none) state_.home_[d] = s.made;
        if (s.made_vc != none) state_.home_[c] = s.made_vc;
    }

    void place_transpose(const step& s) {
        for (unsigned r = 0; r < 8; ++r) {
            const value v = state_.home_[r];
            if (v == none) continue;
            const bool ends = dies(v);
            if (is_loose_constant(v) || (r < 4 && ends)) state_.home_[r] = none;
            else if (!ends) fail();
        }
        if (live_.reserved[at_] & 0xffu) fail();
        emit(s.word);
        for (unsigned r = 0; r < 4; ++r) state_.home_[r] = s.made_fixed[r];
    }

    void place_constant(const step& s) {
        made_here_.emplace(s.made, true);
        const unsigned r = pick(last_use(s.made), 0, live_.wish[s.made]);
        load_constant(r, s.word);
        settle(r, s.made);
        state_.loaded_in_[r] = s.state;
    }

    void place_merge(const step& s) {
        unsigned from = register_of(s.vb);
        const unsigned d = variable(s.va, last_use(s.made), from < 8 ? 1u << from : 0u, live_.wish[s.made]);
        if (from == nowhere) load_constant(d, values_.at(s.vb).word);
        else move(d, from);
        settle_after(d, s.va, s.made);
    }

    void place_pinned_read(const step& s) {
        const unsigned r = s.lreg;
        const bool stays = !(forbidden(last_use(s.made)) >> r & 1);
        const value before = state_.home_[r];
        if (before != none && !is_loose_constant(before) && !dies(before)) { // the same register read twice
            const unsigned to = pick(last_use(s.made), 1u << r);
            move_all_lanes(to, r);
            settle(to, s.made);
            return;
        }
        if (stays) {
            settle(r, s.made);
            return;
        }
        const unsigned to = pick(last_use(s.made), 1u << r, live_.wish[s.made]);
        move_all_lanes(to, r);
        settle(to, s.made);
    }

    void place_pinned_write(const step& s) {
        const unsigned r = s.lreg;
        const unsigned from = register_of(s.va);
        if (from == r) {
            if (!is_loose_constant(s.va)) return;
            state_.home_[r] = none;
            return;
        }
        if (from < 8) temporaries_ |= 1u << from;
        vacate(r, 1u << r);
        if (from == nowhere) load_constant(r, values_.at(s.va).word);
        else move(r, from);
    }

    register_allocator& state_;
    const graph& values_;
    const std::vector<step>& steps_;
    liveness live_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> constant_uses_;
    std::map<value, bool> made_here_;
    std::vector<placed_word> out_;
    std::array<bool, 8> at_start_{}; ///< registers that held something when the piece began
    std::ptrdiff_t in_front_ = 0;    ///< words that load constants before everything else
    std::uint32_t at_ = 0;
    registers temporaries_ = 0, fields_used_ = 0;
    std::vector<std::pair<unsigned, unsigned>> saved_; ///< registers of the kernel's own, and where they wait

public:
    void find_constant_uses() {
        for (std::uint32_t i = 0; i < steps_.size(); ++i)
            if (steps_[i].what == step_kind::constant) made_here_.emplace(steps_[i].made, true);
        for (std::uint32_t i = 0; i < steps_.size(); ++i)
            each_source(steps_[i], [&](value v) {
                if (is_loose_constant(v)) constant_uses_[values_.at(v).word].push_back(i);
            });
    }
};

bool register_allocator::hold_values() const {
    return std::any_of(home_.begin(), home_.end(), [](value v) { return v != none; });
}
void register_allocator::overwritten(std::uint32_t word) {
    if (isa::classify(word, arch_) != isa::word_kind::sfpu) return;
    const isa::instruction insn = isa::decode(word, arch_);
    if (insn.names_template()) return;
    const bool any = insn.is(sfploadmacro);
    for (unsigned r = 0; r < home_.size(); ++r)
        if (constant_[r] && (any || isa::contains(insn.use.writes, r))) home_[r] = none;
}
void register_allocator::forget_constants() {
    for (unsigned r = 0; r < home_.size(); ++r)
        if (constant_[r]) home_[r] = none;
}

std::vector<placed_word> register_allocator::allocate(graph& values) {
    const auto words_of = [&](const std::vector<step>& order, bool keep_raw) {
        register_allocator attempt = *this;
        allocation work(attempt, values, order, keep_raw);
        work.find_constant_uses();
        std::vector<placed_word> words = work.run();
        *this = attempt;
        for (unsigned r = 0; r < home_.size(); ++r)
            constant_[r] = home_[r] != none && values.at(home_[r]).what == node_kind::constant;
        return words;
    };
    const std::vector<step> as_written = lower(values, false);
    std::vector<std::vector<step>> orders{as_written};
    // Registers that the kernel's own words write last may be for later functions, as long as there are
    // enough.
    for (const bool keep_raw : {true, false})
        for (unsigned attempt = 0; attempt < 3; ++attempt) {
            if (attempt == orders.size())
                orders.push_back(relieved(values, attempt == 1 ? as_written : lower(values, true)));
            try {
                return words_of(orders[attempt], keep_raw);
            } catch (const no_register&) {
                if (!keep_raw && attempt == 2) throw;
            }
        }
    return {};
}

} // namespace sfpu::kernel_recorder::vector
