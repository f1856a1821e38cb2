// What the program of a core says to the tile: that it has ended, that it is done, what it prints.
#include "tile_parts.h"

#include <algorithm>

namespace sfpu {

// --- memory as a core sees it ------------------------------------------------------------------------------

std::uint32_t tile::parts::place_of(std::uint32_t address, unsigned core) const {
    if (core == 0 || address < memory::local_ram_base || address >= memory::tile_control_base) return address;
    const std::uint64_t alias = core == b_core
                                    ? memory::b_local_ram_alias
                                    : memory::t_local_ram_alias + core * memory::local_ram_alias_step;
    return static_cast<std::uint32_t>(address - memory::local_ram_base + alias);
}

bool tile::parts::read_as(unsigned core, std::uint32_t address, unsigned char* data, std::size_t count) {
    return debug_access(tlm::TLM_READ_COMMAND, place_of(address, core), data, count) == count;
}

bool tile::parts::write_as(unsigned core, std::uint32_t address, const unsigned char* data,
                           std::size_t count) {
    // A payload's data cannot be const; a write leaves them alone.
    return debug_access(tlm::TLM_WRITE_COMMAND, place_of(address, core), const_cast<unsigned char*>(data),
                        count) == count;
}

std::optional<std::uint32_t> tile::parts::word_as(unsigned core, std::uint32_t address) {
    std::uint32_t word = 0;
    if (!read_as(core, address, reinterpret_cast<unsigned char*>(&word), sizeof word)) return std::nullopt;
    return word;
}

// --- stores that mean something ----------------------------------------------------------------------------

/// A core leaves its reset, or somebody has said what to watch.
void tile::parts::watch(unsigned core) {
    if (completions[core]) hart(core).core().watch_stores(completions[core]->address, 4);
    else if (tohost[core]) hart(core).core().watch_stores(*tohost[core], 8);
    else hart(core).core().watch_stores(0, 0);
}

void tile::parts::heard_store(unsigned core, std::uint32_t address, cycles at) {
    if (ended) return;
    if (completions[core]) return heard_completion(core, at);
    if (!tohost[core]) return;
    if (address >= *tohost[core] + 4) { // the upper half of tohost, or what happens to be behind its word
        if (!upper_half_is_void[core]) return;
        upper_half_is_void[core] = false;
        const unsigned char zero[4]{};
        write_as(core, *tohost[core] + 4, zero, sizeof zero);
        return;
    }
    heard_tohost(core, at);
}

void tile::parts::heard_completion(unsigned core, cycles at) {
    completion& own = *completions[core];
    if (own.is_done) return;
    const std::optional<std::uint32_t> word = word_as(core, own.address);
    if (!word || (*word & own.mask) != own.value) return;
    own.is_done = true;
    const bool all = std::all_of(completions.begin(), completions.end(),
                                 [](const auto& each) { return !each || each->is_done; });
    if (all) end_by_word(core, 1, at);
}

/// RV32 stores 64 bits as two words, the lower one first: what the next instructions store to the upper one.
std::optional<std::uint32_t> tile::parts::upper_half_to_come(unsigned core) {
    const riscv::hart_core& hart_core = hart(core).core();
    unsigned changed = 0; // the register that an instruction in between writes
    for (std::uint32_t pc = hart_core.pc(); pc != hart_core.pc() + 8; pc += 4) {
        const std::optional<std::uint32_t> word = word_as(core, pc);
        if (!word) return std::nullopt;
        constexpr std::uint32_t store_word = 0x2023, store_mask = 0x707f, first_branch = 0x63;
        const unsigned base = *word >> 15 & 31u, from = *word >> 20 & 31u;
        if ((*word & store_mask) == store_word && (!changed || (base != changed && from != changed))) {
            const auto offset =
                static_cast<std::uint32_t>(static_cast<std::int32_t>(*word) >> 25 << 5) | (*word >> 7 & 31u);
            if (hart_core.reg(base) + offset == *tohost[core] + 4) return hart_core.reg(from);
        }
        if ((*word & 3u) != 3u || (*word & 0x7fu) >= first_branch) return std::nullopt; // it may go elsewhere
        changed = *word >> 7 & 31u;
    }
    return std::nullopt;
}

void tile::parts::heard_tohost(unsigned core, cycles at) {
    const std::uint32_t low = word_as(core, *tohost[core]).value_or(0);
    if (low == 0) return;
    const std::optional<std::uint32_t> to_come = upper_half_to_come(core);
    const std::uint32_t high = to_come ? *to_come : word_as(core, *tohost[core] + 4).value_or(0);
    // Ordinary data may stand behind a `tohost` of one word: only a request is taken for an upper half.
    constexpr std::uint32_t console_output = 0x01010000;
    const bool is_wide = high == console_output;
    const host_services::answer answer = is_wide || low % 2 == 0
                                             ? host_of(core).serve_tohost(low, is_wide ? high : 0)
                                             : host_services::answer{};
    if (!answer.is_served) return end_by_word(core, low, at);
    if (answer.exit_word) return end_by_word(core, answer.exit_word, at);
    const unsigned char zero[8]{}, one[4]{1};
    write_as(core, *tohost[core], zero, is_wide ? 8 : 4);
    upper_half_is_void[core] = to_come && *to_come != 0;
    if (answer.responds && fromhost[core]) write_as(core, *fromhost[core], one, sizeof one);
}

void tile::parts::end_by_word(unsigned core, std::uint32_t word, cycles at) {
    status.now = tile_status::state::ended;
    status.exit_word = word;
    control.set_exit(word);
    end(core, at, true);
    hart(core).stop();
}

// --- the host ----------------------------------------------------------------------------------------------

host_services tile::parts::host_of(unsigned core) {
    return host_services({[this, core](std::uint32_t address, unsigned char* data, std::size_t count) {
                              return read_as(core, address, data, count);
                          },
                          [this, core](std::uint32_t address, const unsigned char* data, std::size_t count) {
                              return write_as(core, address, data, count);
                          },
                          [this, core](std::string_view text) {
                              if (console) console(core, text);
                          }});
}

bool tile::parts::host_called(unsigned core, std::uint32_t operation, std::uint32_t parameter,
                              std::uint32_t& result, cycles at) {
    std::uint32_t exit_word = 0;
    if (!host_of(core).serve_semihosting(operation, parameter, result, exit_word)) return false;
    if (exit_word && !ended) end_by_word(core, exit_word, at);
    return true;
}

} // namespace sfpu
