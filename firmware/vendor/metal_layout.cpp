// Linked with tt-metal's firmware of a T core: absolute symbols that tell the host of sfpusim, in the place
// of B, where the mailboxes of this version of tt-metal are and what stands in them. It adds no byte.
// docs/vendor.md says how it is built.
#include "hostdev/dev_msgs.h"
#include "tt-metalium/circular_buffer_constants.h"

#include "noc_overlay_parameters.h"

#include "stream_io_map.h"

#include <cstddef>

#define METAL_SYMBOL(name, value) asm(".globl " #name "\n.set " #name ", %0" ::"i"(value))

namespace {

constexpr int first_t_core = static_cast<int>(TensixProcessorTypes::MATH0);
constexpr std::size_t launch =
    MEM_MAILBOX_BASE + offsetof(mailboxes_t, launch) + offsetof(launch_msg_t, kernel_config);

} // namespace

extern "C" [[gnu::naked, gnu::used]] void metal_layout() {
    // Where a core's start-up code finds its data.
    METAL_SYMBOL(trisc0_local_image, MEM_TRISC0_INIT_LOCAL_L1_BASE_SCRATCH);
    METAL_SYMBOL(trisc1_local_image, MEM_TRISC1_INIT_LOCAL_L1_BASE_SCRATCH);
    METAL_SYMBOL(trisc2_local_image, MEM_TRISC2_INIT_LOCAL_L1_BASE_SCRATCH);
    METAL_SYMBOL(metal_free_l1, MEM_MAP_END);
    // Run messages of T0 and the following, a byte each, and what they may be.
    METAL_SYMBOL(metal_run, MEM_MAILBOX_BASE + offsetof(mailboxes_t, subordinate_sync) + 1);
    METAL_SYMBOL(metal_run_init, RUN_SYNC_MSG_INIT);
    METAL_SYMBOL(metal_run_init_buffers, RUN_SYNC_MSG_INIT_SYNC_REGISTERS);
    METAL_SYMBOL(metal_run_go, RUN_SYNC_MSG_GO);
    METAL_SYMBOL(metal_run_done, RUN_SYNC_MSG_DONE);
    // The first launch message, and the message that lets kernels begin.
    METAL_SYMBOL(metal_launch_number, MEM_MAILBOX_BASE + offsetof(mailboxes_t, launch_msg_rd_ptr));
    METAL_SYMBOL(metal_go_number, MEM_MAILBOX_BASE + offsetof(mailboxes_t, go_message_index));
    METAL_SYMBOL(metal_go,
                 MEM_MAILBOX_BASE + offsetof(mailboxes_t, go_messages) + offsetof(go_msg_t, signal));
    METAL_SYMBOL(metal_go_go, RUN_MSG_GO);
    METAL_SYMBOL(metal_kernel_config_base, launch + offsetof(kernel_config_msg_t, kernel_config_base) +
                                               4 * static_cast<int>(ProgrammableCoreType::TENSIX));
    METAL_SYMBOL(metal_buffer_offset, launch + offsetof(kernel_config_msg_t, local_cb_offset));
    METAL_SYMBOL(metal_remote_buffer_offset, launch + offsetof(kernel_config_msg_t, remote_cb_offset));
    METAL_SYMBOL(metal_buffer_mask, launch + offsetof(kernel_config_msg_t, local_cb_mask));
    METAL_SYMBOL(metal_first_remote_buffer,
                 launch + offsetof(kernel_config_msg_t, min_remote_cb_start_index));
    METAL_SYMBOL(metal_arguments,
                 launch + offsetof(kernel_config_msg_t, rta_offset) + sizeof(rta_offset_t) * first_t_core);
    METAL_SYMBOL(metal_kernel_offset,
                 launch + offsetof(kernel_config_msg_t, kernel_text_offset) + 4 * first_t_core);
    // Circular buffers: registers of the first one, and the way to the next.
    METAL_SYMBOL(metal_buffers, NUM_CIRCULAR_BUFFERS);
    METAL_SYMBOL(metal_received,
                 STREAM_REG_ADDR(get_operand_stream_id(0), STREAM_REMOTE_DEST_BUF_SIZE_REG_INDEX));
    METAL_SYMBOL(metal_acked,
                 STREAM_REG_ADDR(get_operand_stream_id(0), STREAM_REMOTE_DEST_BUF_START_REG_INDEX));
    METAL_SYMBOL(metal_next_buffer, STREAM_REG_ADDR(1, 0) - STREAM_REG_ADDR(0, 0));
}
