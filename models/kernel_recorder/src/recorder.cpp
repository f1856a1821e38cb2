#include <sfpu/kernel_recorder/encode.h>
#include <sfpu/kernel_recorder/recorder.h>

#include <sfpu/isa/instruction.h>

#include <algorithm>

namespace sfpu::kernel_recorder {
namespace {

thread_local recorder* current = nullptr;

constexpr unsigned field(std::uint32_t word, unsigned shift, unsigned width) {
    return word >> shift & ((1u << width) - 1u);
}

} // namespace

void recorder::issue(std::uint32_t word) {
    if (word >> 24 == isa::opcode::replay) return start_replay(word);
    if (words_to_load_ == 0) {
        words_.push_back(word);
        return;
    }
    slots_[load_slot_] = word;
    load_slot_ = (load_slot_ + 1) % replay_slots;
    --words_to_load_;
    if (load_executes_) words_.push_back(word);
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
        words_.push_back(*slots_[slot]);
    }
}

std::vector<std::uint32_t> recorder::take_words() {
    if (words_to_load_ != 0)
        throw kernel_error("the replay buffer still takes " + std::to_string(words_to_load_) +
                           " words at the end of the function: the recorded length is too large");
    std::vector<std::uint32_t> taken;
    taken.swap(words_);
    return taken;
}

void recorder::warn(const std::string& text) {
    if (std::find(warnings_.begin(), warnings_.end(), text) == warnings_.end()) warnings_.push_back(text);
}

recording::recording(recorder& into) : previous_(current) { current = &into; }
recording::~recording() { current = previous_; }

recorder& current_recorder() {
    if (!current) throw kernel_error("an instruction was issued while nothing records");
    return *current;
}

void issue(architecture arch, std::uint32_t word) {
    recorder& into = current_recorder();
    if (into.arch() != arch)
        throw kernel_error(std::string("a kernel compiled for ") + long_name(arch) +
                           " issued into a recorder for " + long_name(into.arch()));
    into.issue(word);
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
                       std::to_string(limit - 1));
}

void note_negative_operand(const char* macro, const operand_field& field, std::int64_t value) {
    if (!current) return;
    const std::string number = std::to_string(value);
    const std::string mask = field.width == 12 ? "0xfff" : "0xffff";
    current->warn(std::string(macro) + ": operand " + field.name + " is " + number +
                  "; the vendor's macro would change the opcode, write " + number + " & " + mask);
}

} // namespace sfpu::kernel_recorder
