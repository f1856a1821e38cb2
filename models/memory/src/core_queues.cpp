#include <sfpu/memory/core_queues.h>

#include <sfpu/common/module_argument.h>
#include <sfpu/memory/register_file.h>

#include <string>

namespace sfpu::memory {
namespace {

constexpr std::uint64_t partner_bytes = 0x1000, pc_buffer_bytes = 0x10000, query_bit = 4;

/// Counts a load that waits, until it goes on or its process is reset.
class waiting_load {
public:
    explicit waiting_load(unsigned& all) : all_(all) { ++all_; }
    ~waiting_load() { --all_; }
    waiting_load(const waiting_load&) = delete;
    waiting_load& operator=(const waiting_load&) = delete;

private:
    unsigned& all_;
};

} // namespace

core_queues::core_queues(const sc_core::sc_module_name& name) : sc_module(name) {
    for (unsigned core = 0; core < cores; ++core) {
        const auto tag = static_cast<int>(core);
        mailbox_sockets_[core] =
            std::make_unique<socket>(("mailboxes_tsock_" + std::to_string(core)).c_str());
        mailbox_sockets_[core]->register_b_transport(this, &core_queues::access_mailbox, tag);
        mailbox_sockets_[core]->register_transport_dbg(this, &core_queues::look_at_mailbox, tag);
    }
    for (unsigned thread = 0; thread < threads; ++thread) {
        pc_buffer_sockets_[thread] =
            std::make_unique<socket>(("pc_buffer_tsock_" + std::to_string(thread)).c_str());
        pc_buffer_sockets_[thread]->register_b_transport(this, &core_queues::access_pc_buffer,
                                                         static_cast<int>(thread));
    }
}

core_queues::target_socket& core_queues::mailboxes_tsock(unsigned core) {
    return module_socket(*this, "core", mailbox_sockets_, core);
}
core_queues::target_socket& core_queues::pc_buffer_tsock(unsigned thread) {
    return module_socket(*this, "thread", pc_buffer_sockets_, thread);
}

void core_queues::reset() {
    ++generation_;
    for (auto& row : mailboxes_)
        for (queue& each : row) each.clear();
    for (queue& each : pc_buffers_) each.clear();
    changed();
}

void core_queues::core_reset_begins(unsigned core) {
    for (queue& each : mailboxes_[core]) each.clear();
    changed();
}

void core_queues::core_reset_ends(unsigned thread) {
    pc_buffers_[thread].clear();
    changed();
}

std::size_t core_queues::words_written_by(unsigned core) const {
    std::size_t words = 0;
    for (const queue& each : mailboxes_[core]) words += each.size();
    return words;
}

/// False if everything was reset meanwhile.
bool core_queues::wait_for_change() {
    const unsigned generation = generation_;
    wait(changed_);
    return generation == generation_;
}

// --- mailboxes ---------------------------------------------------------------------------------------------

void core_queues::access_mailbox(int number, tlm::tlm_generic_payload& trans, sc_core::sc_time&) {
    const auto core = static_cast<unsigned>(number);
    const tlm::tlm_response_status status = check_word_access(trans, cores * partner_bytes);
    trans.set_response_status(status);
    trans.set_dmi_allowed(false);
    if (status != tlm::TLM_OK_RESPONSE) return;
    const auto partner = static_cast<unsigned>(trans.get_address() / partner_bytes);
    if (trans.is_write()) {
        while (words_written_by(core) >= mailbox_words)
            if (!wait_for_change()) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        mailbox(core, partner).push_back(word_of(trans));
        changed();
    } else if (trans.is_read() && (trans.get_address() & query_bit)) {
        answer_word(trans, mailbox(partner, core).empty() ? 0 : 1);
    } else if (trans.is_read()) {
        while (mailbox(partner, core).empty())
            if (!wait_for_change()) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        answer_word(trans, mailbox(partner, core).front());
        mailbox(partner, core).pop_front();
        changed();
    }
}

unsigned core_queues::look_at_mailbox(int number, tlm::tlm_generic_payload& trans) {
    if (!is_debug_word_access(trans, cores * partner_bytes) || !trans.is_read()) return 0;
    const queue& from =
        mailbox(static_cast<unsigned>(trans.get_address() / partner_bytes), static_cast<unsigned>(number));
    const bool is_query = (trans.get_address() & query_bit) != 0;
    if (!is_query && from.empty()) return 0;
    answer_word(trans, is_query ? !from.empty() : from.front());
    return 4;
}

// --- PCBufs ------------------------------------------------------------------------------------------------

void core_queues::access_pc_buffer(int number, tlm::tlm_generic_payload& trans, sc_core::sc_time&) {
    const auto thread = static_cast<unsigned>(number);
    const tlm::tlm_response_status status = check_word_access(trans, pc_buffer_bytes);
    trans.set_response_status(status);
    trans.set_dmi_allowed(false);
    if (status != tlm::TLM_OK_RESPONSE) return;
    if (trans.is_write()) {
        while (pc_buffers_[thread].size() >= pc_buffer_words)
            if (!wait_for_change()) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        pc_buffers_[thread].push_back(word_of(trans));
        changed();
    } else if (trans.is_read()) {
        const auto is_waited_for = [&] { return pc_buffers_[thread].empty() && waiting_[thread] != 0; };
        const unsigned generation = generation_;
        do {
            while (!is_waited_for())
                if (!wait_for_change()) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
            if (wait_until_idle_) wait_until_idle_(thread);
            if (generation != generation_) return trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        } while (!is_waited_for());
        answer_word(trans, 0);
    }
}

bool core_queues::pop_pc_buffer(unsigned thread, std::uint32_t& word) {
    if (pc_buffers_[thread].empty()) {
        const waiting_load here(waiting_[thread]);
        changed();
        while (pc_buffers_[thread].empty())
            if (!wait_for_change()) return false;
    }
    word = pc_buffers_[thread].front();
    pc_buffers_[thread].pop_front();
    changed();
    return true;
}

} // namespace sfpu::memory
