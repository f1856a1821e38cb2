// The issue unit: takes words from its push ports, one a cycle, holds them as the hardware does, hands them on.
#pragma once

#include <sfpu/common/systemc_version.h>
#include <sfpu/timing/planner.h>
#include <sfpu/timing/thread_arbiter.h>
#include <sfpu/timing/word_history.h>
#include <sfpu/vector_unit/instruction_protocol.h>
#include <sfpu/vector_unit/lreg_file.h>

#include <boost/circular_buffer.hpp>

#include <systemc>
#include <tlm>

#include <array>
#include <memory>
#include <vector>

namespace sfpu {

class macro_scheduler;

/// An ignorable extension of a push, for initiators that lag behind simulated time and have to know when their words are
/// issued. Without it words start at the annotated time and are named by their number.
struct issue_order : tlm::tlm_extension<issue_order> {
    cycles start{};          ///< the first word may be issued from this cycle on, which may lie in the past
    std::int64_t index = -1; ///< names the first word in events and diagnostics
    std::uint8_t index_step = 0; ///< from the index of one word to that of the next; 0: all have one name
    std::uint8_t thread = 0;     ///< whose words they are, for a unit with one push port
    cycles end = forever;        ///< words that would be issued in this cycle or later are not taken
    cycles* issued = nullptr;    ///< out: the cycle of each word
    unsigned taken = 0;          ///< out: how many words were

    tlm::tlm_extension_base* clone() const override { return new issue_order(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const issue_order&>(other);
    }
};

/// Words arrive by base-protocol writes of N x 4 bytes (push_payload.h): N words, little-endian, one a cycle from the annotated time
/// on. On return the delay covers the cycle after the last word was accepted; with four phases END_REQ and BEGIN_RESP come then.
///
/// Each push port has a watermark: the earliest cycle at which its next word may come. With one port a word is
/// accepted at once, and the delay includes every stall. With several, words wait in their port's queue until it is known
/// which goes first (T22): no silent port can still bring one that would. The delay then covers the pushing only. A push
/// behind its port's watermark counts as one at the watermark.
///
/// Words with an issue_order are accepted at once on any number of ports: who sends such words on several ports
/// (frontend::thread_group) brings them in the order of their issue, and says with hold_back() whom they keep waiting.
///
/// With several ports, port n brings the words of thread n; there are 1 to isa::thread_count ("/sfpu/module/argument"). With one,
/// words are those of thread 0 unless an issue_order says otherwise.
class issue_unit : public sc_core::sc_module {
public:
    instruction_sender scheduler;

    issue_unit(const sc_core::sc_module_name& name, lreg_file& lregs, macro_scheduler& next,
               unsigned push_ports);
    ~issue_unit() override;
    /// `is_heard`: somebody wants to know what happens when it happens.
    void reset(bool is_heard);

    /// Words that come one by one, as they came before, are issued as they come, by a plan for several of them, and executed
    /// when the plan is complete or somebody looks. This executes what has been put off.
    void complete() {
        if (followed_) complete_words();
    }
    /// Nothing is put off before somebody promises to call complete() in front of each look.
    void may_put_off() { somebody_completes_ = true; }
    void put_nothing_off() {
        complete();
        is_watched_ = true;
    }

    tlm::tlm_target_socket<32>& insn_tsock(unsigned port);
    unsigned push_ports() const { return static_cast<unsigned>(ports_.size()); }

    /// The port promises to bring nothing before `cycle`.
    void raise_watermark(unsigned port, cycles cycle);
    /// Simulates everything before `end`, as far as the watermarks allow.
    void advance_to(cycles end);
    /// The end of a program: nobody pushes any more. Issues all words that wait, then lets the macros drain (T19).
    void drain();

    /// Cycle of simulated time 0 of the current run.
    void set_epoch(const sc_core::sc_time& epoch);
    /// The first cycle that begins at this time or later. Behind the last cycle that is counted 2^32 more still begin before
    /// SystemC's time ends.
    cycles cycle_at(const sc_core::sc_time& time) const;

    /// A thread's word could have come in these cycles, and one of another thread that is issued next, in the last of
    /// them, keeps it waiting. Counts the stalls.
    void hold_back(std::uint32_t word, std::int64_t index, std::uint8_t thread, cycles from, cycles until);

    /// The cycle in which the next word would be issued if it was this one and came at `earliest`.
    cycles issue_cycle(std::uint32_t word, cycles earliest);

    /// In which cycles words with this order would be issued, however late, as far as one plan tells: writes those of the
    /// first ones to `order.issued` and returns how many. Zero if the unit would do something else before them. Nothing is
    /// simulated.
    unsigned foresee(const unsigned char* bytes, unsigned count, const issue_order& order);

    cycles first_issue() const { return first_issue_; }
    /// The cycle in which the first word of the latest push was issued.
    cycles issue_of_push() const { return issue_of_push_; }
    /// The cycle in which the next word can be accepted at the earliest.
    cycles next_free() const { return next_free_; }
    /// Forgets all words and plans, as happens by itself before they outgrow memory. Nobody can tell but by the time.
    void forget_plans();
    /// Words that were issued by remembered plans, since the reset.
    std::uint64_t remembered_words() const { return remembered_words_; }
    /// Words that were executed after the push that brought them, since the reset.
    std::uint64_t words_put_off() const { return words_put_off_; }
    const timing::planner& planner() const { return planner_; }

private:
    class push_port;
    /// A word that the next one to be issued keeps waiting.
    struct held_word {
        std::int64_t index = -1;
        std::uint8_t thread = 0;
        probe::stall_cause cause{}; ///< up to `allowed`
        cycles from{}, allowed{}, until{};
    };
    struct queued_word {
        std::uint32_t word;
        cycles earliest;
    };
    const sc_core::sc_time& time_of(cycles cycle);
    cycles accept_expected();
    bool begin_to_follow(std::uint32_t word, cycles at);
    void look_ahead(std::uint32_t word);
    void complete_words();
    bool puts_off() const {
        return somebody_completes_ && !is_heard_ && !is_watched_ && ports_.size() == 1 &&
               lregs_.machine.issue_width == 1;
    }
    /// Takes `count` words from a port; returns the first cycle after they were accepted (one port) or pushed.
    cycles push(unsigned port, const unsigned char* bytes, unsigned count, cycles start);
    cycles push_ordered(unsigned port, const unsigned char* bytes, unsigned count, issue_order& order);
    unsigned issue_all(timing::pushed_words words, cycles start, cycles end, cycles* issued);
    unsigned issue_words(timing::pushed_words words, cycles start, cycles end, cycles* issued);
    void issue_queued(bool more_may_come, cycles end = forever);
    void issue_head(push_port& port, cycles at);
    bool find_candidates(bool more_may_come);
    void hold_back_others(const push_port& winner, cycles at);
    void begin_wait(push_port& port);
    void held_before(std::uint32_t word, cycles offered, cycles now);
    held_word count_hold(std::uint32_t word, std::uint8_t thread, cycles from, cycles until);
    void count_stall(probe::stall_cause cause, std::uint8_t thread, cycles from, cycles until);
    void publish_held_words(std::uint32_t word, cycles offered);
    void let_pass(cycles until);
    void run(const timing::plan& plan, std::int64_t first_word);
    void sample_rules(std::uint32_t after, const isa::instruction* changed_by);
    void take_rules() {
        const bool may_change =
            lregs_.machine.issue_width > 1; // address modifiers, which others may write too
        if (!rules_known_ || may_change || planner_.library().is_full()) take_rules_anew();
    }
    void take_rules_anew();

    static constexpr cycles longest_idle_plan{1 << 16};

    lreg_file& lregs_;
    macro_scheduler& next_;
    timing::planner planner_;
    bool rules_known_ = false;
    std::uint64_t macro_version_ = 0; ///< of LoadMacroConfig when the rules were sampled
    std::vector<std::unique_ptr<push_port>> ports_;
    sc_core::sc_time epoch_, period_{1, sc_core::SC_NS};
    cycles latest_cycle_{}; ///< the cycle that was converted last, and its time
    sc_core::sc_time latest_time_;
    cycles last_cycle_{}; ///< that cycle_at() gives
    cycles next_free_{};
    cycles issue_of_push_{};
    cycles first_issue_{-1};
    std::int64_t word_count_ = 0;
    unsigned word_step_ = 1;         ///< from the index of one word to that of the next
    std::uint8_t thread_ = 0;        ///< whose words are being issued
    timing::thread_arbiter arbiter_; ///< of words that wait at several ports
    std::vector<timing::issue_candidate> candidates_;
    std::vector<held_word> held_words_; ///< only if somebody observes
    std::uint64_t remembered_words_ = 0;

    const timing::plan* followed_ = nullptr; ///< what the words that come are expected to be
    unsigned accepted_ = 0;             ///< how many of its words have come; none of them has been executed
    cycles followed_since_{};           ///< the cycle in which it begins
    timing::word_history history_;      ///< words that came one by one
    std::vector<std::uint32_t> coming_; ///< what they say comes next
    /// Words on end that came one by one and in time since what was expected last did not come whole; how many have to
    /// before words are followed, and before it is looked again what may come.
    unsigned calm_ = 0, patience_ = least_patience, look_at_ = least_patience;
    bool somebody_completes_ = false, is_heard_ = false, is_watched_ = false;
    std::uint64_t words_put_off_ = 0;
    static constexpr unsigned least_patience = 32, most_patience = 1 << 16, most_between_looks = 512;
    static constexpr std::size_t most_coming = 64, fewest_coming = 4;
};

} // namespace sfpu
