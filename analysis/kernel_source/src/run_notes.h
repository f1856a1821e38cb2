// What a run of a function met that its reader must know: waits for others, values that were assumed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sfpu::analysis {

/// "0x00005f08 (exp.h:31)": an address, and its line of C++ where that is known.
using place_namer = std::function<std::string(std::uint32_t pc)>;

class run_notes {
public:
    explicit run_notes(place_namer name) : name_(std::move(name)) {}

    std::string place(std::uint32_t pc) const;

    /// The function waits for another thread at `pc`: "SEMWAIT of semaphore 1". How that was answered is
    /// part of the text. Once for each place.
    void waits(std::uint32_t pc, std::string what);
    /// Something else, once for each place and kind: "the load of 0xffb12040 (debug_registers)".
    void assumes(std::uint32_t pc, const std::string& what, const std::string& outcome);

    bool has_waits() const { return !waits_.empty(); }
    /// The waits, "0x00005f08 (exp.h:31): SEMWAIT of semaphore 1", a line each, of which the first ten.
    std::string waits_text(const char* indent) const;
    /// A sentence for each place, those behind the first ten of each kind together in one.
    void tell(std::vector<std::string>& to) const;

private:
    struct assumption {
        std::uint32_t pc = 0;
        std::string what, outcome;
        std::uint64_t times = 0;
    };

    place_namer name_;
    std::vector<std::pair<std::uint32_t, std::string>> waits_;
    std::vector<assumption> assumptions_; ///< in the order of their first times
    std::map<std::pair<std::uint32_t, std::string>, std::size_t> known_;
};

} // namespace sfpu::analysis
