// What instructions compute, lane by lane, as terms: of words, without registers, flags or time.
#pragma once

#include <sfpu/analysis/terms.h>

namespace sfpu::analysis {

/// What SFPLOAD makes of a raw cell of Dst, which has as many bits as the mode loads; `old` is what the
/// register holds. `mode`: Mod0 with SRCB resolved.
term loaded_word(term_pool& pool, unsigned mode, term cell, term old);
/// The cell that SFPSTORE makes of a word.
term stored_cell(term_pool& pool, unsigned mode, term word);

/// What the operands of an instruction are in a lane. Those that it does not read may be no_term.
struct word_operands {
    term va, vb, vc;
    term random = no_term; ///< state of the random number generator
};

/// a * b + c, as SFPMAD.
term multiplied_added(term_pool& pool, term a, term b, term c);
term multiplied_24(term_pool& pool, term a, term b, term c, bool upper);
/// SFPSTOCHRND. `takes_random`: whether the result depends on the random number.
term rounded(term_pool& pool, const isa::instruction& insn, const word_operands& of);
/// SFPCAST.
term cast(term_pool& pool, const isa::instruction& insn, const word_operands& of);
/// SFPLUT and SFPLUTFP32; `registers` are L0, L1 ... L6.
term looked_up(term_pool& pool, const isa::instruction& insn, const term* registers);

/// The instructions of Simple and Round that compute VD of VB and VC in one lane, of which the word is all
/// that there is to say; no_term if it is another instruction.
term simple_word(term_pool& pool, const isa::instruction& insn, const word_operands& of);

} // namespace sfpu::analysis
