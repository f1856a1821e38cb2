#include <sfpu/kernel_recorder/encode.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <sfpu/isa/instruction.h>
#include <sfpu/isa/lane_machine.h>

#include "vector_session.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace sfpu::kernel_recorder {
namespace {

thread_local recorder* current = nullptr;

constexpr unsigned field(std::uint32_t word, unsigned shift, unsigned width) {
    return word >> shift & ((1u << width) - 1u);
}

} // namespace

void recorder::issue(std::uint32_t word) {
    ++counts_.pushed;
    if (in_a_push_ == 0) may_wait_ = true;
    if (word >> 24 == isa::opcode::replay) {
        finish_graph(); // words have to stand in the order in which they are loaded
        return start_replay(word);
    }
    // Entries of the flag stack count for the vector types that come behind them.
    if (!session_ && (word >> 24 == isa::opcode::sfppushc || word >> 24 == isa::opcode::sfppopc)) graph();
    if (session_ && (session_->graph.pending() || session_->registers.hold_values()))
        return session_->graph.raw(word);
    if (session_) session_->graph.follow(word);
    accept(word, session_ ? session_->graph.place() : place_);
}

void recorder::stand_at(const source_place& place) {
    if (!place.is_of_kernel()) return;
    place_ = place;
    if (session_) session_->graph.stand_at(place);
}

void recorder::accept(std::uint32_t word, const source_place& place) {
    if (words_to_load_ == 0) return send(word, place);
    slots_[load_slot_] = word;
    slot_places_[load_slot_] = place;
    load_slot_ = (load_slot_ + 1) % replay_slots;
    --words_to_load_;
    if (load_executes_) send(word, place);
}

void recorder::send(std::uint32_t word, const source_place& place) {
    if (machine_ == nullptr) {
        taken_.words.push_back(word);
        taken_.places.push_back(place);
        taken_.gaps.push_back(may_wait_);
        may_wait_ = false;
        return;
    }
    const isa::word_kind kind = isa::classify(word, arch_);
    if (kind == isa::word_kind::no_instruction)
        throw kernel_error("a word was issued that is no instruction, which cannot be executed");
    if (kind != isa::word_kind::other_unit) machine_->execute(word);
}

vector::graph& recorder::graph() {
    static std::atomic<std::uint64_t> numbers{0};
    if (!session_) {
        session_ = std::make_shared<vector::session>(arch_, ++numbers);
        session_->graph.stand_at(place_);
    }
    return session_->graph;
}
std::uint64_t recorder::graph_number() const { return session_ ? session_->number : 0; }

void recorder::finish_graph() {
    if (!session_ || !session_->graph.pending()) return;
    vector::session& s = *session_;
    struct done {
        vector::graph& of;
        ~done() { of.mark_done(); }
    } at_the_end{s.graph};
    vector::simplify(s.graph);
    if (machine_ != nullptr) {
        if (words_to_load_ != 0)
            throw kernel_error(
                "vector types stand in what a REPLAY records; that can be recorded, and not be "
                "executed directly");
        s.execution.run(s.graph, *machine_);
        return;
    }
    const bool only_loads = words_to_load_ != 0 && !load_executes_;
    const std::vector<vector::placed_word> placed = s.registers.allocate(s.graph);
    unsigned words = 0;
    s.emitter.emit(placed, [&](std::uint32_t word, const source_place& place) {
        ++words;
        may_wait_ = true; // the core pushes each
        accept(word, place);
    });
    for (const vector::placed_word& each : placed) words -= each.raw; // was counted when it was issued
    counts_.pushed += words;
    counts_.generated += words;
    if (only_loads) s.registers.forget_constants(); // they are not loaded before they are played
}

const std::vector<std::uint32_t>& recorder::words() {
    finish_graph();
    return taken_.words;
}

const std::vector<bool>& recorder::gaps() {
    finish_graph();
    return taken_.gaps;
}

void recorder::start_replay(std::uint32_t word) {
    // The expander would store this word as it stands, and the units behind it cannot execute it.
    if (words_to_load_ != 0)
        throw kernel_error("REPLAY issued while the replay buffer still takes " +
                           std::to_string(words_to_load_) + " words: the recorded length is too large");
    const unsigned start = field(word, 14, 5), count = field(word, 4, 6);
    const unsigned length = count == 0 ? 64 : count;
    const bool load = field(word, 0, 1);
    if (!load) return play(start, length);
    load_slot_ = start;
    words_to_load_ = length;
    load_executes_ = field(word, 1, 1);
}

void recorder::play(unsigned start, unsigned length) {
    for (unsigned i = 0; i < length; ++i) {
        const unsigned slot = (start + i) % replay_slots;
        if (!slots_[slot])
            throw kernel_error("REPLAY of slot " + std::to_string(slot) + ", which nothing was loaded into");
        if (session_) session_->played(*slots_[slot]);
        send(*slots_[slot], slot_places_[slot]);
    }
}

recorded_words recorder::take() {
    finish_graph();
    if (session_) session_->registers.forget_constants(); // the next function may be called at any other time
    if (words_to_load_ != 0)
        throw kernel_error("the replay buffer still takes " + std::to_string(words_to_load_) +
                           " words at the end of the function: the recorded length is too large");
    may_wait_ = true;
    return std::exchange(taken_, {});
}

void recorder::warn(const std::string& text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(text);
}

recording::recording(recorder& into) : previous_(current) { current = &into; }
recording::~recording() { current = previous_; }

single_push::single_push() : into_(current_recorder()) {
    into_.finish_graph();
    if (into_.in_a_push_++ == 0) into_.may_wait_ = true;
}

recorder* find_current_recorder() { return current; }

recorder& current_recorder() {
    if (!current) throw kernel_error("an instruction was issued while nothing records");
    return *current;
}

void issue(architecture arch, std::uint32_t word, source_place at) {
    recorder& into = current_recorder();
    if (into.arch() != arch)
        throw kernel_error(std::string("a kernel compiled for ") + long_name(arch) +
                           " issued into a recorder for " + long_name(into.arch()));
    into.stand_at(at);
    into.issue(word);
}

void issue_computed(architecture arch, std::uint32_t word, source_place at) {
    issue(arch, word, at);
    current_recorder().count_computed();
}

void stand_at(const source_place& place) {
    if (current) current->stand_at(place);
}

std::vector<std::uint32_t> record(recorder& into, const std::function<void()>& function) {
    const recording scope(into);
    function();
    return into.take_words();
}

// --- encode.h ----------------------------------------------------------------------------------------------

void refuse_operand(const char* macro, const operand_field& field, std::int64_t value) {
    const std::int64_t limit = std::int64_t{1} << field.width;
    throw kernel_error(std::string(macro) + ": operand " + field.name + " is " + std::to_string(value) +
                       ", expected " + std::to_string(field.is_signed ? -limit / 2 : 0) + " to " +
                       std::to_string((limit << field.spills) - 1));
}

void note_negative_operand(const char* macro, const operand_field& field, std::int64_t value) {
    if (!current) return;
    const std::string number = std::to_string(value);
    const std::string mask = field.width == 12 ? "0xfff" : "0xffff";
    current->warn(std::string(macro) + ": operand " + field.name + " is " + number +
                  "; the vendor's macro would change the opcode, write " + number + " & " + mask);
}

void note_spilled_operand(const char* macro, const operand_field& field, std::int64_t value) {
    if (!current) return;
    current->warn(std::string(macro) + ": operand " + field.name + " is " + std::to_string(value) +
                  " and has " + std::to_string(field.width) +
                  " bits; as with the vendor's macro, the word has " +
                  std::to_string(value % (std::int64_t{1} << field.width)) + " there and " +
                  std::to_string(value >> field.width) + " more in the operand above it");
}

} // namespace sfpu::kernel_recorder
