// A small program for a hart, written word by word. Branches and loads name labels, which may follow.
#pragma once

#include <sfpu/riscv/elf_image.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

class riscv_code {
public:
    explicit riscv_code(std::uint32_t address) : address_(address) {}

    riscv_code& operator<<(std::uint32_t word);
    /// Words of the coprocessor, which pushes them.
    riscv_code& push(const std::vector<std::uint32_t>& tensix);
    /// Puts a value into a register, in one instruction or two.
    riscv_code& set(unsigned rd, std::uint32_t value);

    /// What follows has this name, which is a symbol of the program.
    riscv_code& label(const std::string& name);
    /// Fills up with zeros to a multiple of so many bytes.
    riscv_code& align(unsigned bytes);

    // Two instructions each.
    riscv_code& address_of(unsigned rd, const std::string& name);
    riscv_code& load_from(unsigned rd, const std::string& name);
    riscv_code& branch(unsigned condition, unsigned rs1, unsigned rs2, const std::string& name);
    riscv_code& jump(const std::string& name);

    /// The program. Throws std::logic_error if a label is missing.
    riscv::elf_image image() const;

    /// Conditions of branches.
    static constexpr unsigned equal = 0, not_equal = 1, less = 4;

private:
    /// The words from `at` on are made when the distance to the label is known.
    struct reference {
        std::size_t at;
        std::string name;
        std::function<std::vector<std::uint32_t>(int distance)> words;
    };
    riscv_code& refer(const std::string& name, std::size_t count,
                      std::function<std::vector<std::uint32_t>(int distance)> words);
    std::uint32_t here() const { return address_ + static_cast<std::uint32_t>(4 * words_.size()); }

    std::uint32_t address_;
    std::vector<std::uint32_t> words_;
    std::vector<reference> references_;
    std::map<std::string, std::uint32_t, std::less<>> labels_;
};

} // namespace sfpu::analysis
