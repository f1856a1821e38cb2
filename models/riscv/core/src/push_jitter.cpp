#include <sfpu/riscv/push_jitter.h>

namespace sfpu::riscv {
namespace {

// Words of the expanders (tile.md K4, K5).
constexpr std::uint32_t mop = 0x01, mop_cfg = 0x03, replay = 0x04;
bool records(std::uint32_t word) { return word >> 24 == replay && (word & 1u) != 0; }

} // namespace

/// The finalizer of SplitMix64: every bit of the result depends on every bit of seed, core and address.
std::uint64_t push_delays::mixed(std::uint32_t pc) const {
    std::uint64_t value = how_.seed + 0x9e3779b97f4a7c15u * (std::uint64_t{core_} << 32 | pc);
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

push_delay push_delays::before(std::uint32_t pc) {
    const std::uint64_t chosen = mixed(pc);
    if ((chosen & 3u) != 0) return {};
    const auto count = static_cast<unsigned>(1 + (chosen >> 8) % how_.most);
    const bool is_word = (chosen & 4u) != 0 && pushes_nops_ && to_record_ == 0;
    counters_.places += places_.insert(pc).second;
    ++counters_.delays;
    (is_word ? counters_.tensix_nops : counters_.core_nops) += count;
    return is_word ? push_delay{0, count} : push_delay{count, 0};
}

void push_delays::pushed(std::uint32_t word) {
    const std::uint32_t code = word >> 24;
    if (records(word)) {
        const unsigned count = word >> 4 & 63u;
        to_record_ = count ? count : 64;
    } else if (to_record_ != 0 && code != mop && code != mop_cfg) {
        // What a MOP makes is recorded, too; how many words that are is not known here.
        --to_record_;
    }
}

void push_delays::mop_configured(std::uint32_t word) {
    if (records(word)) pushes_nops_ = false;
}

} // namespace sfpu::riscv
