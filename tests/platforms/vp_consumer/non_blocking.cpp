// One platform with b_transport, one with nb_transport_fw: the same data at the same times, as
// docs/integration.md says what each socket answers.
#include <sfpu/dst/dst_memory.h>
#include <sfpu/isa/assembler.h>
#include <sfpu/vector_unit/vector_unit.h>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    std::exit(1);
}

class host : public sc_core::sc_module {
public:
    tlm_utils::simple_initiator_socket<host, 32> insn_isock{"insn_isock"}, mem_isock{"mem_isock"};
    std::vector<std::uint16_t> cells;
    std::vector<sc_core::sc_time> times; ///< after each access

    host(const sc_core::sc_module_name& name, bool blocking) : sc_module(name), blocking_(blocking) {
        SC_HAS_PROCESS(host);
        SC_THREAD(work);
        mem_isock.register_nb_transport_bw(this, &host::answered);
        insn_isock.register_nb_transport_bw(this, &host::answered);
    }

private:
    void access(bool push, tlm::tlm_command command, std::uint64_t address, void* data, std::size_t length) {
        tlm::tlm_generic_payload trans;
        trans.set_command(command);
        trans.set_address(address);
        trans.set_data_ptr(static_cast<unsigned char*>(data));
        trans.set_data_length(static_cast<unsigned>(length));
        trans.set_streaming_width(push ? 4 : static_cast<unsigned>(length));
        auto& to = push ? insn_isock : mem_isock;
        sc_core::sc_time delay;
        if (blocking_) {
            to->b_transport(trans, delay);
        } else {
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            request_ended_ = false;
            require(to->nb_transport_fw(trans, phase, delay) == tlm::TLM_ACCEPTED, "the first answer");
            wait(response_);
            require(!push || request_ended_, "the end of the request of a push");
            delay = sc_core::SC_ZERO_TIME; // has passed
        }
        require(trans.is_response_ok(), "the response");
        wait(delay);
        times.push_back(sc_core::sc_time_stamp());
    }

    tlm::tlm_sync_enum answered(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::END_REQ) {
            request_ended_ = true;
            return tlm::TLM_ACCEPTED;
        }
        require(phase == tlm::BEGIN_RESP, "the phase of the answer");
        response_.notify(delay);
        phase = tlm::END_RESP;
        return tlm::TLM_COMPLETED;
    }

    void work() {
        cells.resize(64);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i] = static_cast<std::uint16_t>(0x3f80 + i); // some bf16
        access(false, tlm::TLM_WRITE_COMMAND, 0, cells.data(), 128);
        // A dependence of multiply-adds stalls: the delay of a push is more than its words.
        auto words = assembled(
            "sfpload L0, UINT16, ADDR_MOD_3, 0\nsfpmad L0, L0, L0, L1, 0\nsfpmad L1, L1, L0, L2, 0\n"
            "sfpiadd 1, L0, L0, 5\nsfpstore L0, UINT16, ADDR_MOD_3, 0\n");
        access(true, tlm::TLM_WRITE_COMMAND, 0, words.data(), 4 * words.size());
        access(false, tlm::TLM_READ_COMMAND, 0, cells.data(), 128);
        words = assembled("sfpstore L2, FP32, ADDR_MOD_3, 0\n");
        access(true, tlm::TLM_WRITE_COMMAND, 0, words.data(), 4 * words.size());
        cells.resize(512);
        access(false, tlm::TLM_READ_COMMAND, 0, cells.data(), 1024);
    }
    static std::vector<std::uint32_t> assembled(const char* text) {
        std::vector<std::uint32_t> words;
        const auto program = sfpu::isa::assemble(text, "text", sfpu::architecture::blackhole);
        require(program.ok(), "the text");
        for (const auto& each : program.program.loop) words.push_back(each.word);
        return words;
    }

    bool blocking_, request_ended_ = false;
    sc_core::sc_event response_;
};

struct platform : sc_core::sc_module {
    sfpu::vector_unit sfpu{"sfpu"};
    sfpu::dst::dst_memory dst{"dst"};
    host driver;

    platform(const sc_core::sc_module_name& name, bool blocking)
        : sc_module(name), driver("driver", blocking) {
        driver.insn_isock.bind(sfpu.insn_tsock());
        driver.mem_isock.bind(dst.mem_tsock);
        sfpu.dst_load_isock().bind(dst.load_tsock);
        sfpu.dst_store_isock().bind(dst.store_tsock);
        dst.attach(sfpu);
        sfpu.reset(::sfpu::parameters{});
        dst.reset(::sfpu::parameters{}, &sfpu.state().reporter);
    }
};

} // namespace

int sc_main(int, char*[]) {
    const platform one("blocking", true), other("non_blocking", false);
    sc_core::sc_start();
    require(one.driver.times.size() == 5, "the number of accesses");
    require(one.driver.times == other.driver.times, "the times");
    require(one.driver.cells == other.driver.cells, "the data");
    require(one.driver.times[1] - one.driver.times[0] == sc_core::sc_time(6 * 741, sc_core::SC_PS),
            "five words and one stall are six cycles");
    std::printf("the same\n");
    return 0;
}
