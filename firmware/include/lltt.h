// Tensix words from C++ for a compiler that knows nothing of Tensix: words in the instruction stream,
// words by a store, and the replay buffer.
//
// The names are those of the vendor's header, so that a kernel of raw words compiles with either; insn()
// is ours. Constants become `.ttinsn`, what is computed at run time becomes a store, as the vendor's
// compiler does it.
#pragma once

#include "sfpu_ttinsn.h"

#include <stdint.h>

/// The instruction buffer of the core's own thread.
#ifndef SFPU_INSTRN_BUFFER
#define SFPU_INSTRN_BUFFER 0xFFE40000u
#endif

namespace lltt {

enum ExecBool : bool { NoExec, Exec };

/// Pushes a constant word.
template <uint32_t word>
[[gnu::always_inline]] inline void insn() {
    static_assert(word < 0xC0000000u, "this word cannot be pushed by .ttinsn");
    __asm__ volatile(".ttinsn %0" ::"i"(word) : "memory");
}

/// Pushes a word by a store.
[[gnu::always_inline]] inline void insn(uint32_t word) {
    *reinterpret_cast<volatile uint32_t*>(static_cast<uintptr_t>(SFPU_INSTRN_BUFFER)) = word;
}

/// The word that plays `length` slots from `start` on.
[[gnu::always_inline]] constexpr uint32_t replay_insn(unsigned start, unsigned length) {
    return 0x04000000u | start << 14 | length << 4;
}
/// The word that records the next `length` words from slot `start` on.
template <ExecBool E = NoExec>
[[gnu::always_inline]] constexpr uint32_t record_insn(unsigned start, unsigned length) {
    return replay_insn(start, length) | (E == Exec ? 3u : 1u);
}

/// Pushes a word in the instruction stream if the compiler knows it, else by a store.
[[gnu::always_inline]] inline void known_or_stored(uint32_t word) {
#ifdef __OPTIMIZE__ // else nothing is known, and an operand that is not constant is an error
    if (__builtin_constant_p(word)) __asm__ volatile(".ttinsn %0" ::"i"(word) : "memory");
    else
#endif
        insn(word);
}

/// Records the next `length` words; with Exec they are executed, too.
template <ExecBool E = NoExec>
[[gnu::always_inline]] inline void record(unsigned start, unsigned length) {
    known_or_stored(record_insn<E>(start, length));
}
/// Plays what was recorded.
[[gnu::always_inline]] inline void replay(unsigned start, unsigned length) {
    known_or_stored(replay_insn(start, length));
}

} // namespace lltt
