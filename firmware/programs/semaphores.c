/* Hart and Tensix thread wait for each other: semaphore 0 lets the thread begin, semaphore 1 tells the hart
 * that the vector unit has finished. The marks that both leave in L1 show the order. */
#include <sfpu_firmware.h>
#include <sfpu_tensix.h>

#define GO 0
#define DONE 1
#define BIT(index) (1u << (index))

IN_L1 uint32_t done_before_go, done_after_go;

int main(void) {
    TTINSN(TT_SEMINIT(15, 0, BIT(GO) | BIT(DONE)));
    wait_for_tensix();

    TTINSN(TT_SEMWAIT(STALL_SFPU, BIT(GO), SEM_WHILE_ZERO));
    for (unsigned i = 0; i < 8; ++i) TTINSN(TT_SFPNOP);
    TTINSN(TT_STALLWAIT(STALL_SYNC, UNTIL_SFPU_IDLE));
    TTINSN(TT_SEMPOST(BIT(DONE)));

    for (unsigned i = 0; i < 100; ++i) done_before_go += semaphore_value(DONE);
    semaphore_post(GO);
    while (semaphore_value(DONE) == 0) {
    }
    done_after_go = semaphore_value(DONE);
    semaphore_get(DONE);
    return !(done_before_go == 0 && done_after_go == 1);
}
