/* Waits for the vector unit behind a semaphore that nobody posts: on silicon the hart hangs. */
#include <sfpu_firmware.h>
#include <sfpu_tensix.h>

int main(void) {
    TTINSN(TT_SEMINIT(15, 0, 1));
    TTINSN(TT_SEMWAIT(STALL_SFPU, 1, SEM_WHILE_ZERO));
    TTINSN(TT_SFPNOP);
    wait_for_tensix();
    return 0;
}
