// What a program asks of its host: console output and its end, by HTIF (the word `tohost`) and by
// semihosting.
//
// Source: the host-target interface of the public RISC-V simulators (device 0 serves system calls, whose
// block of 64-bit numbers `tohost` points to; device 1 is a console); "Semihosting for AArch32 and AArch64",
// ARM, as RISC-V has it with ebreak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sfpu {

class host_services {
public:
    /// Memory as the program sees it, and where its output goes.
    struct surroundings {
        std::function<bool(std::uint32_t address, unsigned char* data, std::size_t bytes)> read;
        std::function<bool(std::uint32_t address, const unsigned char* data, std::size_t bytes)> write;
        std::function<void(std::string_view text)> print;
    };
    explicit host_services(surroundings around) : around_(std::move(around)) {}

    /// A request in `tohost`.
    struct answer {
        bool is_served = false;      ///< else the word is the program's end
        bool responds = false;       ///< `fromhost` becomes 1
        std::uint32_t exit_word = 0; ///< if the request was to end: not zero
    };
    answer serve_tohost(std::uint32_t low, std::uint32_t high);

    /// False if there is no such operation. `exit_word` becomes other than zero if the program ends.
    bool serve_semihosting(std::uint32_t operation, std::uint32_t parameter, std::uint32_t& result,
                           std::uint32_t& exit_word);

private:
    bool read_words(std::uint32_t address, std::uint32_t* words, std::size_t count);
    bool print_bytes(std::uint32_t address, std::uint32_t length);
    void print_text(std::uint32_t address);
    std::uint32_t open(std::uint32_t parameter);

    surroundings around_;
};

} // namespace sfpu
