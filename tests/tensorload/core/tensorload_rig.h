// What the tests of the TensorLoad engine share: an engine with two byte arrays as memories.
#pragma once

#include <sfpu/tensorload/tensorload_core.h>

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <ostream>
#include <stdexcept>
#include <vector>

namespace sfpu {

/// How GoogleTest shows cycles.
inline void PrintTo(cycles value, std::ostream* to) { *to << "cycle " << value.count(); }

} // namespace sfpu

namespace sfpu::test {

namespace tl = tensorload;

/// Memories that keep a record of their accesses.
class recording_memory : public tl::memory_access {
public:
    struct access {
        bool is_write;
        std::uint32_t offset;
        unsigned bytes;
        cycles at;
    };
    std::vector<unsigned char> l1m, l0m;
    std::vector<access> accesses;
    cycles delayed{};     ///< added to each access
    bool refuses = false; ///< answers with errors

    recording_memory(std::size_t l1m_bytes, std::size_t l0m_bytes) : l1m(l1m_bytes), l0m(l0m_bytes) {}

    answer read(std::uint32_t offset, unsigned char* data, unsigned bytes, cycles at) override {
        accesses.push_back({false, offset, bytes, at});
        if (offset + bytes > l1m.size()) throw std::out_of_range("read outside of the memory");
        if (refuses) return {false, delayed};
        std::memcpy(data, l1m.data() + offset, bytes);
        return {true, delayed};
    }
    answer write(std::uint32_t offset, const unsigned char* data, unsigned bytes, cycles at) override {
        accesses.push_back({true, offset, bytes, at});
        if (offset + bytes > l0m.size()) throw std::out_of_range("write outside of the memory");
        if (refuses) return {false, delayed};
        std::memcpy(l0m.data() + offset, data, bytes);
        return {true, delayed};
    }
};

/// ttype and tshape values.
constexpr std::uint32_t int4 = 1, int8 = 2, int16 = 4, int32 = 8, bf16 = 0x200, fp32 = 0x400;
constexpr std::uint32_t shape(unsigned d0, unsigned d1, unsigned d2) { return d0 << 16 | d1 << 8 | d2; }
/// Operand of tl.xpose.
constexpr std::uint32_t dims(unsigned d0, unsigned d1, unsigned d2, unsigned d3) {
    return d3 << 24 | d2 << 16 | d1 << 8 | d0;
}

struct tensorload_rig {
    static constexpr std::size_t l1m_bytes = 0x8000, l0m_bytes = 0x8000;
    recording_memory memory{l1m_bytes, l0m_bytes};
    parameters config;
    tl::tensorload_core core{memory};
    cycles now{};

    using change = std::function<void(tensorload_parameters&)>;
    explicit tensorload_rig(const change& adjust = {}) {
        config.tensorload.l1m_size = l1m_bytes;
        config.tensorload.l0m_size = l0m_bytes;
        config.tensorload.l0m = l0m_binding::sram;
        if (adjust) adjust(config.tensorload);
        core.reset(config);
        for (std::size_t i = 0; i < memory.l1m.size(); ++i)
            memory.l1m[i] = static_cast<unsigned char>(i * 7 + i / 256 * 13 + 1);
    }

    /// Issues in the next cycle that the engine allows.
    riscv::coprocessor_answer issue(std::uint32_t word, std::uint32_t scalar = 0) {
        const riscv::coprocessor_answer answer = core.issue(word, scalar, now);
        if (answer.result == riscv::coprocessor_answer::outcome::accepted) now = answer.next;
        return answer;
    }
    riscv::coprocessor_answer issue(const tl::instruction& insn, std::uint32_t scalar = 0) {
        return issue(tl::encode(insn), scalar);
    }
    bool accepts(std::uint32_t word, std::uint32_t scalar = 0) {
        return issue(word, scalar).result == riscv::coprocessor_answer::outcome::accepted;
    }
    bool accepts(const tl::instruction& insn, std::uint32_t scalar = 0) {
        return accepts(tl::encode(insn), scalar);
    }

    void set(unsigned csr, std::uint32_t value) {
        EXPECT_TRUE(core.write_csr(csr, now, value)) << "CSR " << csr;
    }
    std::uint32_t get(unsigned csr) {
        std::uint32_t value = 0;
        EXPECT_TRUE(core.read_csr(csr, now, value)) << "CSR " << csr;
        return value;
    }
    void set_block(std::uint32_t type, std::uint32_t size) {
        set(tl::csr::ttype, type);
        set(tl::csr::tshape, size);
    }

    /// Byte i is value(i).
    void fill(unsigned tensor, const std::function<unsigned(unsigned)>& value) {
        tl::tensor_register data;
        for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<unsigned char>(value(i));
        core.set_tensor(tensor, data);
    }
    unsigned byte(unsigned tensor, unsigned index) const { return core.tensor(tensor)[index]; }
};

} // namespace sfpu::test
