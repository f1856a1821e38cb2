#include <sfpu/frontend/semaphore_bank.h>

namespace sfpu::frontend {

void semaphore_bank::init(mask which, unsigned maximum, unsigned value) {
    for (unsigned i = 0; i < count; ++i)
        if (which >> i & 1)
            semaphores_[i] = {static_cast<std::uint8_t>(value & largest),
                              static_cast<std::uint8_t>(maximum & largest)};
}

void semaphore_bank::post(mask which) {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value < largest) ++semaphores_[i].value;
}

void semaphore_bank::get(mask which) {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value > 0) --semaphores_[i].value;
}

void semaphore_bank::write(unsigned index, std::uint32_t value, cycles at) {
    for (user* one : users_) one->bring_to(at);
    if (value & 1) get(1u << index);
    else post(1u << index);
    announce(at);
}

void semaphore_bank::announce(cycles at) {
    for (user* one : users_) one->semaphores_changed(at);
}

bool semaphore_bank::any_zero(mask which) const {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value == 0) return true;
    return false;
}

bool semaphore_bank::any_at_maximum(mask which) const {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value >= semaphores_[i].maximum) return true;
    return false;
}

} // namespace sfpu::frontend
