#include <sfpu/isa/isa_catalogue.h>

#include "word_form.h"

#include <sfpu/isa/table.h>

namespace sfpu::isa {
namespace {

/// A word of the opcode with this modifier and otherwise contractual operands: SFPMUL24 wants VC = L9.
std::uint32_t plain_word(const row& op, unsigned modifier) {
    const bool upper = op.format == layout::mod0_address || op.format == layout::mod0_imm16;
    return std::uint32_t{op.opcode} << 24 | (upper ? modifier << 16 : modifier | 9u << 8);
}

std::string page_path(const row& op, const char* page, architecture arch) {
    // Pages that serve both chips lie in the tree of Wormhole.
    const char* const tree = op.one_page ? chips::wormhole.page_tree : describe(arch).page_tree;
    return std::string(tree) + "/TensixTile/TensixCoprocessor/" + (page ? page : op.page) + ".md";
}

/// "; modifier bits 1, 3 ignored"
std::string ignored_text(unsigned ignored_bits) {
    std::string bits;
    unsigned count = 0;
    for (unsigned bit = 0; bit < 4; ++bit)
        if (ignored_bits >> bit & 1) bits += (count++ ? ", " : " ") + std::to_string(bit);
    if (count == 0) return {};
    return std::string("; modifier bit") + (count > 1 ? "s" : "") + bits + " ignored";
}

catalogue_row describe_pair(const row& op, unsigned modifier, architecture arch) {
    const mode_description said = op.describe(modifier, arch);
    std::string name = mode_text(op.modes, modifier);
    if (name == std::to_string(modifier)) name.clear();
    return {arch,
            &op,
            modifier,
            name,
            decode(plain_word(op, modifier), arch).status,
            said.ignored_bits,
            said.text + ignored_text(said.ignored_bits),
            page_path(op, said.page, arch)};
}

} // namespace

const char* to_string(definition status) {
    switch (status) {
    case definition::defined: return "defined";
    case definition::non_contractual: return "non-contractual";
    case definition::undefined: return "undefined";
    }
    return "?";
}

std::vector<catalogue_row> catalogue() {
    std::vector<catalogue_row> rows;
    for (const architecture arch : all_architectures)
        for (const row* op : instruction_table()) {
            if (!op->describe || !find_row(op->opcode, arch)) continue;
            for (unsigned modifier = 0; modifier < 16; ++modifier)
                rows.push_back(describe_pair(*op, modifier, arch));
        }
    return rows;
}

const std::vector<special_case>& special_cases() {
    static const std::vector<special_case> cases = {
        {"SFPMUL24", "non-contractual", "VC is not L9",
         "VC is added to the product as the floating-point adder would align it; nothing is added if its "
         "exponent field "
         "is 0. Reported whatever VC holds.",
         report_id::isa_non_contractual},
        {"SFPCONFIG", "non-contractual", "destination 9 or 10", "Nothing is written.",
         report_id::isa_non_contractual},
        {"SFPSTOCHRND", "non-contractual", "rounding mode 3, on Wormhole also 2",
         "On Blackhole 3 rounds stochastically. Wormhole looks at the lower bit of the field only.",
         report_id::isa_non_contractual},
        {"SFPSHFT2 SUBVEC_SHFLSHR1 on Wormhole", "non-contractual", "always",
         "The first lane of each row gets the last lane of the row of the VC that the latest SUBVEC_SHFLROR1 "
         "or "
         "SUBVEC_SHFLROR1_AND_COPY4 saw, even if that wrote nothing, but only if its VD was below 12: not "
         "one with VD of "
         "12 and above and the backdoor disabled, nor one that a macro sent to L16. 0 after reset.",
         report_id::isa_non_contractual},
        {"SFPPUSHC", "undefined", "modifier 0 and eight entries held",
         "The oldest entry is overwritten. The size counter has four bits and wraps; the answer of exec "
         "lists the eight "
         "entries that storage holds.",
         report_id::flags_stack_overflow},
        {"SFPPUSHC on Blackhole", "undefined", "modifier 1 to 15 and no entry held",
         "There is no entry to change; modifier 13 still complements the flags.",
         report_id::flags_stack_underflow},
        {"SFPPOPC", "undefined", "modifier 0 and no entry held",
         "Both masks become false, so that all lanes are active. The size counter wraps to 15: storage "
         "counts as full, "
         "further pops return what it holds, and the answer of exec lists it. Blackhole does as Wormhole "
         "does.",
         report_id::flags_stack_underflow},
        {"SFPCONFIG", "unpredictable",
         "changes DISABLE_BACKDOOR_LOAD, and the next instruction has VD of 12 and above",
         "The next instruction sees the new value.", report_id::hazard_laneconfig_neighbour},
        {"SFPLOADMACRO", "undefined", "selector 1 in a sequence byte",
         "Nothing is scheduled for that sub-unit, and nothing forgotten.", report_id::macro_selector_one},
        {"SFPLOADMACRO", "undefined", "the Store sub-unit gets something other than SFPSTORE",
         "An entry that does nothing occupies the sub-unit.", report_id::macro_store_without_store},
        {"SFPLOADMACRO", "unpredictable", "LoadMacroConfig differs between lanes",
         "What column 0 holds is scheduled for all lanes.", report_id::macro_lanes_differ},
        {"any but SFPLOAD, SFPLOADI, SFPSWAP and SFPTRANSP", "unpredictable",
         "writes L4 to L7 while ENABLE_DEST_INDEX is set in LaneConfig (erratum TEN-2932)",
         "The result is written as if the bit were not set.", report_id::isa_undefined},
        {"SETC16", "undefined", "no thread configuration register of that number", "The write is dropped.",
         report_id::frontend_config_index},
        {"words of other units", "unsupported", "always",
         "They take their issue slot and do nothing; in a tile those of the Configuration Unit and the "
         "Scalar Unit "
         "do what they should.",
         report_id::isa_not_modelled},
    };
    return cases;
}

} // namespace sfpu::isa
