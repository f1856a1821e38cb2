// Fuzz targets: each takes any bytes whatever and finds out whether the code behind it keeps its promises.
//
// Two programs run them: one by libFuzzer (./fuzz), and one that plays seeds, the corpus and mutated inputs
// of a fixed random sequence, as tests in every build.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace sfpu::fuzz {

struct target {
    const char* name;
    void (*run)(std::string_view input);
    std::vector<std::string> (*seeds)();
    unsigned test_inputs; ///< how many mutated inputs a test plays; instrumented builds play a fifth
};
const std::vector<target>& targets();
/// Null if there is none of that name.
const target* find_target(std::string_view name);
/// Whether these names are all that there are; says which target has no test. One without would rot.
bool all_tested(const std::vector<std::string>& names);

/// What means something to the readers of text: generated from the tables of instructions, directives and
/// parameters.
std::vector<std::string> tokens();

/// A promise was broken: says which and aborts.
[[noreturn]] void fail(const std::string& promise);
inline void expect(bool kept, const char* promise) {
    if (!kept) fail(promise);
}

/// Takes an input apart. Behind its end everything is zero.
class byte_reader {
public:
    explicit byte_reader(std::string_view bytes) : rest_(bytes) {}

    bool empty() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    template <class T>
    T take() {
        T value{};
        const std::size_t count = rest_.size() < sizeof value ? rest_.size() : sizeof value;
        std::memcpy(&value, rest_.data(), count);
        rest_.remove_prefix(count);
        return value;
    }
    unsigned byte() { return take<unsigned char>(); }
    /// A number below `count`, from one byte or two.
    unsigned pick(unsigned count) { return (count <= 256 ? byte() : take<unsigned short>()) % count; }

private:
    std::string_view rest_;
};

/// Files of the source tree: all with this ending in a folder.
std::vector<std::string> files_of(const char* folder, const char* ending);
/// Their contents.
std::vector<std::string> contents_of(const char* folder, const char* ending);

// By source file.
std::vector<target> reader_targets();
std::vector<target> simulation_targets();

} // namespace sfpu::fuzz
