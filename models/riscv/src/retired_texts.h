// What observers are told of the instructions that a hart retires.
#pragma once

#include <sfpu/riscv/hart_ports.h>
#include <sfpu/riscv/instruction_set.h>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>

namespace sfpu::riscv {

/// Which instructions are told, and their texts: those of loops are made once.
class retired_texts {
public:
    void publish(bool wanted, cycles from, cycles to) {
        is_wanted_ = wanted;
        from_ = from;
        to_ = to;
    }
    bool wants(const retired_instruction& insn) const {
        return is_wanted_ && from_ <= insn.end && insn.begin <= to_;
    }
    const std::string& of(const retired_instruction& insn) {
        entry& known = recent_[insn.pc / 4 % recent_.size()];
        if (known.text.empty() || known.pc != insn.pc || known.word != insn.word ||
            known.count != insn.count) {
            known = {insn.pc, insn.word, insn.count, text(insn.word, insn.pc)};
            if (insn.count > 1) known.text += fmt::format(" and {} more", insn.count - 1);
        }
        return known.text;
    }

private:
    struct entry {
        std::uint32_t pc = 0, word = 0;
        unsigned count = 0;
        std::string text;
    };

    bool is_wanted_ = false;
    cycles from_{}, to_{};
    std::array<entry, 1024> recent_; ///< by pc
};

} // namespace sfpu::riscv
