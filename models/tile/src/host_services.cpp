#include "host_services.h"

#include <algorithm>
#include <array>

namespace sfpu {
namespace {

constexpr std::uint32_t failed = 0xffffffffu;
constexpr std::uint32_t longest_text = 1u << 20; ///< bytes of one request

/// The word in `tohost` that says the same as this exit code.
constexpr std::uint32_t word_of_code(std::uint32_t code) { return code << 1 | 1u; }

namespace operation { // of semihosting
enum : std::uint32_t {
    open = 0x01,
    close = 0x02,
    write_character = 0x03,
    write_text = 0x04,
    write = 0x05,
    read = 0x06,
    read_character = 0x07,
    is_terminal = 0x09,
    length = 0x0c,
    error_number = 0x13,
    exit = 0x18,
    exit_extended = 0x20,
};
constexpr std::uint32_t application_exit = 0x20026;
} // namespace operation

constexpr bool is_console(std::uint32_t handle) { return handle == 1 || handle == 2; }

} // namespace

bool host_services::read_words(std::uint32_t address, std::uint32_t* words, std::size_t count) {
    return around_.read(address, reinterpret_cast<unsigned char*>(words), count * sizeof *words);
}

bool host_services::print_bytes(std::uint32_t address, std::uint32_t length) {
    if (length > longest_text) return false;
    std::string text(length, '\0');
    if (length && !around_.read(address, reinterpret_cast<unsigned char*>(text.data()), length)) return false;
    around_.print(text);
    return true;
}

/// Up to the zero behind it.
void host_services::print_text(std::uint32_t address) {
    std::string text;
    unsigned char next = 0;
    while (text.size() < longest_text && around_.read(address++, &next, 1) && next)
        text += static_cast<char>(next);
    around_.print(text);
}

host_services::answer host_services::serve_tohost(std::uint32_t low, std::uint32_t high) {
    const std::uint32_t device = high >> 24, command = high >> 16 & 0xffu;
    if (device == 1 && command == 1) {
        const char letter = static_cast<char>(low);
        around_.print(std::string_view(&letter, 1));
        return {true, false, 0};
    }
    if (high != 0 || low % 8 != 0) return {};
    constexpr std::uint32_t write_call = 64, exit_call = 93;
    std::array<std::uint32_t, 8> block{}; // four numbers of 64 bits: the call and three arguments
    if (!read_words(low, block.data(), block.size())) return {};
    const std::uint32_t call = block[0], first = block[2], second = block[4], third = block[6];
    if (call == exit_call) return {true, false, word_of_code(first)};
    if (call != write_call) return {};
    const bool is_printed = is_console(first) && print_bytes(second, third);
    const std::uint32_t result[]{is_printed ? third : failed, is_printed ? 0 : failed};
    around_.write(low, reinterpret_cast<const unsigned char*>(result), sizeof result);
    return {true, true, 0};
}

/// The console is the only file.
std::uint32_t host_services::open(std::uint32_t parameter) {
    std::uint32_t block[3]{};
    unsigned char name[4]{};
    const bool is_known = read_words(parameter, block, 3) && around_.read(block[0], name, sizeof name) &&
                          name[0] == ':' && name[1] == 't' && name[2] == 't' && name[3] == 0;
    if (!is_known) return failed;
    return block[1] < 4 ? 0 : block[1] < 8 ? 1 : 2; // its mode: to read, to write, to append
}

bool host_services::serve_semihosting(std::uint32_t what, std::uint32_t parameter, std::uint32_t& result,
                                      std::uint32_t& exit_word) {
    std::uint32_t block[3]{};
    result = 0;
    switch (what) {
    case operation::open: result = open(parameter); return true;
    case operation::write_character: print_bytes(parameter, 1); return true;
    case operation::write_text: print_text(parameter); return true;
    case operation::write: // the answer is how many bytes are left
        if (!read_words(parameter, block, 3)) result = failed;
        else if (!is_console(block[0]) || !print_bytes(block[1], block[2])) result = block[2];
        return true;
    case operation::read: // nothing to read: all is left
        result = read_words(parameter, block, 3) ? block[2] : failed;
        return true;
    case operation::read_character: result = failed; return true;
    case operation::is_terminal:
        result = read_words(parameter, block, 1) && block[0] <= 2 ? 1 : 0;
        return true;
    case operation::close:
    case operation::length:
    case operation::error_number: return true;
    case operation::exit:
        exit_word = word_of_code(parameter == operation::application_exit ? 0 : 1);
        return true;
    case operation::exit_extended:
        exit_word = word_of_code(1);
        if (read_words(parameter, block, 2) && block[0] == operation::application_exit)
            exit_word = word_of_code(block[1]);
        return true;
    default: return false;
    }
}

} // namespace sfpu
