#include "interrupts.h"

namespace sfpu::cli {
namespace {

volatile std::sig_atomic_t noted = 0;
void note(int) { noted = 1; }

} // namespace

interrupt_guard::interrupt_guard() {
    noted = 0;
    struct sigaction action = {};
    action.sa_handler = note;
    sigaction(SIGINT, &action, &before_int_);
    sigaction(SIGTERM, &action, &before_term_);
}

interrupt_guard::~interrupt_guard() {
    sigaction(SIGINT, &before_int_, nullptr);
    sigaction(SIGTERM, &before_term_, nullptr);
}

bool interrupt_guard::interrupted() { return noted != 0; }

} // namespace sfpu::cli
