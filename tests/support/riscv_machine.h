// A hart core with plain memory around it, for tests.
#pragma once

#include "riscv_words.h"

#include <sfpu/riscv/hart_core.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <ostream>
#include <vector>

namespace sfpu {

inline void PrintTo(cycles value, std::ostream* to) { *to << "cycle " << value.count(); }

} // namespace sfpu

namespace sfpu::test::rv {

// --- memory ------------------------------------------------------------------------------------------------

/// One stretch of memory with direct access if wanted, and one device register at 0xffb12000.
class plain_memory : public riscv::memory_interface {
public:
    static constexpr word base = 0x80000000u, size = 0x10000u, device = 0xffb12000u;

    bool direct = true;
    cycles load_time{}, store_time{}; ///< what every access adds
    cycles device_time{};             ///< what the device adds
    std::vector<unsigned char> bytes = std::vector<unsigned char>(size);
    std::vector<word> device_writes;
    word device_value = 0;

    word at(word address) const {
        word value;
        std::memcpy(&value, &bytes[address - base], sizeof value);
        return value;
    }
    void put(word address, word value) { std::memcpy(&bytes[address - base], &value, sizeof value); }

    riscv::memory_answer load(word address, unsigned length, cycles at) override {
        if (address == device) return {device_value, at + device_time, false};
        riscv::memory_answer answer{0, at + load_time, !inside(address, length)};
        if (!answer.fault) std::memcpy(&answer.value, &bytes[address - base], length);
        return answer;
    }
    riscv::memory_answer store(word address, unsigned length, word value, cycles at) override {
        if (address == device) {
            device_writes.push_back(value);
            return {0, at + device_time, false};
        }
        const bool fault = !inside(address, length);
        if (!fault) std::memcpy(&bytes[address - base], &value, length);
        return {0, at + store_time, fault};
    }
    riscv::memory_answer fetch(word address, cycles at) override { return load(address, 4, at); }
    bool find_direct(word address, riscv::direct_memory& found) override {
        if (!direct || !inside(address, 1)) return false;
        found = {base, base + (size - 1), bytes.data(), true, load_time, store_time};
        return true;
    }

private:
    static bool inside(word address, unsigned length) {
        return address >= base && address - base <= size - length;
    }
};

/// Takes Tensix words.
class recording_tensix : public riscv::tensix_port {
public:
    struct push_record {
        std::vector<word> words;
        cycles at;
    };
    std::vector<push_record> pushes;
    cycles held_until{}; ///< no push is over before
    bool refuses = false;

    cycles push(const word* words, unsigned count, cycles at) override {
        if (refuses) return cycles{-1};
        pushes.push_back({{words, words + count}, at});
        return std::max(at + one_cycle, held_until);
    }
    word status(unsigned csr, cycles) override {
        return csr == riscv::csr::tensix_queues ? 0x1234u : 0x5678u;
    }
};

// --- machine -----------------------------------------------------------------------------------------------

class machine : public riscv::hart_listener {
public:
    static constexpr word base = plain_memory::base;
    /// Where handlers go, and where data go.
    static constexpr word handler = base + 0x1000, data = base + 0x8000;

    plain_memory memory;
    recording_tensix tensix;
    riscv::hart_core hart{memory, &tensix, nullptr};
    std::vector<riscv::unhandled_trap> traps;

    explicit machine(const parameters& config = {}) { reset(config); }
    void reset(const parameters& config, bool is_b_hart = false) {
        riscv::hart_setup setup;
        setup.reset_pc = base;
        setup.is_b_hart = is_b_hart;
        hart.reset(config, setup);
        hart.set_listener(this);
    }
    void trapped(const riscv::unhandled_trap& trap) override { traps.push_back(trap); }

    void place(word address, std::initializer_list<word> words) {
        for (word w : words) {
            memory.put(address, w);
            address += 4;
        }
        hart.forget_code();
    }
    /// Runs a program from `base` until it comes to its end, where nothing but traps are. Returns the cycle
    /// in which the instruction behind it would issue.
    cycles run(std::initializer_list<word> program, cycles most = cycles{10000}) {
        place(base, program);
        hart.set_pc(base);
        const word end = base + 4 * static_cast<word>(program.size());
        const cycles limit = hart.now() + most;
        while (hart.pc() != end && hart.now() < limit)
            if (hart.run(hart.now() + one_cycle) == riscv::run_result::trapped) break;
        return hart.now();
    }
    word csr(unsigned number) {
        word value = 0;
        hart.read_csr(number, value);
        return value;
    }
};

} // namespace sfpu::test::rv
