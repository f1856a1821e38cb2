// The replay buffer under its published names.
#pragma once

#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>
#include <utility>

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

/// The word that plays `length` slots from `start`.
constexpr std::uint32_t replay_insn(unsigned start, unsigned length) {
    return TT_OP_REPLAY(start, length, 0, 0);
}

/// The next `length` words go to the slots from `start`, and with Exec also down the pipeline.
template <ExecBool Execute = NoExec>
void record(unsigned start, unsigned length) {
    ::sfpu::kernel_recorder::current_recorder().issue(TT_OP_REPLAY(start, length, Execute ? 1 : 0, 1));
}

/// Issues the words of `length` slots from `start`.
inline void replay(unsigned start, unsigned length) {
    ::sfpu::kernel_recorder::current_recorder().issue(replay_insn(start, length));
}

/// Issues a word.
inline void insn(std::uint32_t word,
                 ::sfpu::kernel_recorder::source_place at = ::sfpu::kernel_recorder::source_place::here()) {
    ::sfpu::kernel_recorder::stand_at(at);
    ::sfpu::kernel_recorder::current_recorder().issue(word);
}

} // namespace lltt

namespace ckernel {

enum ExecBool : bool { NoExec, Exec };

/// Loads what `function` issues, `length` words, into the slots from `start`.
template <ExecBool Execute = NoExec, typename Function, typename... Arguments>
void load_replay_buf(std::uint32_t start, std::uint32_t length, Function&& function,
                     Arguments&&... arguments) {
    lltt::record<lltt::ExecBool(Execute)>(start, length);
    function(std::forward<Arguments>(arguments)...);
}

/// The same in the older form.
template <unsigned Start, unsigned Length, bool Execute = false, typename Function>
void load_replay_buf(Function&& function) {
    lltt::record<lltt::ExecBool(Execute)>(Start, Length);
    function();
}

/// The store window of the instruction stream, for code that writes words to it.
struct instruction_window {
    struct entry {
        void operator=(std::uint32_t word) const { SFPU_KERNEL_ISSUE(word); }
    };
    struct place { ///< which entry plays no part
        constexpr place(unsigned, ::sfpu::kernel_recorder::source_place at =
                                      ::sfpu::kernel_recorder::source_place::here())
            : where(at) {}
        ::sfpu::kernel_recorder::source_place where;
    };
    entry operator[](place which) const {
        ::sfpu::kernel_recorder::stand_at(which.where);
        return {};
    }
};
constexpr instruction_window instrn_buffer{};

} // namespace ckernel
