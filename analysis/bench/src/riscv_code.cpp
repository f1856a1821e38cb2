#include "riscv_code.h"

#include <sfpu/riscv/encode.h>

#include <algorithm>
#include <stdexcept>

namespace sfpu::analysis {

namespace rv = riscv::encode;

namespace {

/// A value as lui or auipc and the twelve bits that an instruction adds to it, with their sign.
struct halves {
    std::uint32_t upper;
    int lower;
};
halves split(std::uint32_t value) {
    return {(value + 0x800u) & 0xfffff000u, static_cast<int>((value & 0xfffu) ^ 0x800u) - 0x800};
}

} // namespace

riscv_code& riscv_code::operator<<(std::uint32_t word) {
    words_.push_back(word);
    return *this;
}

riscv_code& riscv_code::push(const std::vector<std::uint32_t>& tensix) {
    for (const std::uint32_t word : tensix) *this << rv::ttinsn(word);
    return *this;
}

riscv_code& riscv_code::set(unsigned rd, std::uint32_t value) {
    const auto [upper, lower] = split(value);
    if (upper) *this << rv::lui(rd, upper);
    if (lower || !upper) *this << rv::addi(rd, upper ? rd : 0, lower);
    return *this;
}

riscv_code& riscv_code::label(const std::string& name) {
    if (!labels_.emplace(name, here()).second) throw std::logic_error("two labels have the name " + name);
    return *this;
}

riscv_code& riscv_code::align(unsigned bytes) {
    while (here() % bytes) *this << 0;
    return *this;
}

riscv_code& riscv_code::refer(const std::string& name, std::size_t count,
                              std::function<std::vector<std::uint32_t>(int)> words) {
    references_.push_back({words_.size(), name, std::move(words)});
    words_.resize(words_.size() + count);
    return *this;
}

riscv_code& riscv_code::address_of(unsigned rd, const std::string& name) {
    return refer(name, 2, [rd](int distance) -> std::vector<std::uint32_t> {
        const auto [upper, lower] = split(static_cast<std::uint32_t>(distance));
        return {rv::auipc(rd, upper), rv::addi(rd, rd, lower)};
    });
}

riscv_code& riscv_code::load_from(unsigned rd, const std::string& name) {
    return refer(name, 2, [rd](int distance) -> std::vector<std::uint32_t> {
        const auto [upper, lower] = split(static_cast<std::uint32_t>(distance));
        return {rv::auipc(rd, upper), rv::lw(rd, rd, lower)};
    });
}

riscv_code& riscv_code::branch(unsigned condition, unsigned rs1, unsigned rs2, const std::string& name) {
    return refer(name, 1, [=](int distance) -> std::vector<std::uint32_t> {
        return {rv::branch(condition, rs1, rs2, distance)};
    });
}

riscv_code& riscv_code::jump(const std::string& name) {
    return refer(name, 1, [](int distance) -> std::vector<std::uint32_t> { return {rv::jal(0, distance)}; });
}

riscv::elf_image riscv_code::image() const {
    std::vector<std::uint32_t> words = words_;
    for (const reference& each : references_) {
        const auto target = labels_.find(each.name);
        if (target == labels_.end()) throw std::logic_error("there is no label " + each.name);
        const std::uint32_t from = address_ + static_cast<std::uint32_t>(4 * each.at);
        const std::vector<std::uint32_t> resolved = each.words(static_cast<int>(target->second - from));
        std::copy(resolved.begin(), resolved.end(), words.begin() + static_cast<std::ptrdiff_t>(each.at));
    }
    return riscv::elf_image::of_words(address_, words, labels_);
}

} // namespace sfpu::analysis
