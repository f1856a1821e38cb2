// Names of what surrounds kernels of the vector unit: semaphores, mutexes, configuration registers, modes of
// the Matrix Unit's moves. Values are those of the public headers. Words of these units take their place
// among a kernel's and do nothing here.
#pragma once

#include <sfpu/kernel_recorder/names.h>
#include <sfpu/kernel_recorder/ops.h>

#include <cstdint>

namespace ckernel {

struct p_mov {
    static constexpr std::uint32_t DEST_NORM = 0, DEST_32B_LOW = 1;
};
struct p_mova2d {
    static constexpr std::uint32_t MATH_HALO_ROWS = 0, MOV_1_ROW = 0, MOV_8_ROWS = 2;
};
struct p_movd2a {
    static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};
struct p_movb2d {
    static constexpr std::uint32_t SRC_ZERO_OFFSET = 0, SRC_ROW16_OFFSET = 16;
    static constexpr std::uint32_t MOV_1_ROW = 0, MOV_1_ROW_D0_BRCST = 1, MOV_8_ROW_BRCST = 2,
                                   MOV_8_ROW_BRCST_D0_BRCST = 3, MOV_4_ROWS = 4, MOV_4_ROWS_D0_BRCST = 5;
};
struct p_movd2b {
    static constexpr std::uint32_t SRC_ZERO_OFFSET = 0, SRC_ROW16_OFFSET = 16;
    static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};
struct p_movb2a {
    static constexpr std::uint32_t SRCA_ZERO_OFFSET = 0, SRCB_ZERO_OFFSET = 0, SRCB_ROW16_OFFSET = 16;
    static constexpr std::uint32_t MOV_1_ROW = 0, MOV_4_ROWS = 2;
};

/// Numbers of semaphores, and the bit by which an instruction names one.
struct semaphore {
    static constexpr std::uint32_t FPU_SFPU = 0, MATH_PACK = 1, UNPACK_TO_DEST = 2, UNPACK_OPERAND_SYNC = 3,
                                   PACK_DONE = 4, UNPACK_SYNC = 5, UNPACK_MATH_DONE = 6, MATH_DONE = 7;
    static constexpr std::uint16_t t6_sem(std::uint8_t index) {
        return static_cast<std::uint16_t>(1u << index);
    }
};
struct mutex {
    static constexpr std::uint32_t REG_RMW = 0, SFPU = 4;
};

/// What these do begins once the units that WaitFor names are idle.
template <std::uint32_t WaitFor = p_stall::NONE>
void t6_semaphore_post(std::uint8_t index) {
    if constexpr (WaitFor != p_stall::NONE) TTI_STALLWAIT(p_stall::STALL_SYNC, WaitFor);
    TTI_SEMPOST(semaphore::t6_sem(index));
}
template <std::uint32_t WaitFor = p_stall::NONE>
void t6_semaphore_get(std::uint8_t index) {
    if constexpr (WaitFor != p_stall::NONE) TTI_STALLWAIT(p_stall::STALL_SYNC, WaitFor);
    TTI_SEMGET(semaphore::t6_sem(index));
}
/// These hold back the words of the units that HeldBack names.
template <std::uint32_t HeldBack>
void t6_semaphore_wait_on_max(std::uint8_t index) {
    TTI_SEMWAIT(HeldBack, semaphore::t6_sem(index), p_stall::STALL_ON_MAX);
}
template <std::uint32_t HeldBack>
void t6_semaphore_wait_on_zero(std::uint8_t index) {
    TTI_SEMWAIT(HeldBack, semaphore::t6_sem(index), p_stall::STALL_ON_ZERO);
}
inline void t6_semaphore_init(std::uint8_t index, std::uint8_t initial, std::uint8_t largest) {
    TTI_SEMINIT(largest, initial, semaphore::t6_sem(index));
}
inline void t6_mutex_acquire(std::uint8_t index) { TTI_ATGETM(index); }
inline void t6_mutex_release(std::uint8_t index) { TTI_ATRELM(index); }

/// Changes the bits of a mask in a configuration register, with one RMWCIB for each byte of it that has any.
template <std::uint32_t Address, std::uint32_t Shift, std::uint32_t Mask>
void cfg_reg_rmw_tensix(std::uint32_t value) {
    constexpr std::uint32_t rmwcib0 = 0xb3;
    for (std::uint32_t byte = 0; byte < 4; ++byte) {
        const std::uint32_t mask = Mask >> 8 * byte & 0xff, data = value << Shift >> 8 * byte & 0xff;
        if (mask != 0) SFPU_KERNEL_ISSUE_COMPUTED(TT_OP(rmwcib0 + byte, mask << 16 | data << 8 | Address));
    }
}

} // namespace ckernel
