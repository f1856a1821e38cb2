#include <sfpu/frontend/sync_unit.h>

namespace sfpu::frontend {

void sync_unit::init(mask which, unsigned maximum, unsigned value) {
    for (unsigned i = 0; i < count; ++i)
        if (which >> i & 1)
            semaphores_[i] = {static_cast<std::uint8_t>(value & largest),
                              static_cast<std::uint8_t>(maximum & largest)};
}

void sync_unit::post(mask which) {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value < largest) ++semaphores_[i].value;
}

void sync_unit::get(mask which) {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value > 0) --semaphores_[i].value;
}

void sync_unit::write(unsigned index, std::uint32_t value, cycles at) {
    for (user* one : users_) one->bring_to(at);
    if (value & 1) get(1u << index);
    else post(1u << index);
    announce(at);
}

void sync_unit::announce(cycles at) {
    for (user* one : users_) one->semaphores_changed(at);
}

bool sync_unit::any_zero(mask which) const {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value == 0) return true;
    return false;
}

bool sync_unit::any_at_maximum(mask which) const {
    for (unsigned i = 0; i < count; ++i)
        if ((which >> i & 1) && semaphores_[i].value >= semaphores_[i].maximum) return true;
    return false;
}

void sync_unit::acquire(unsigned index, unsigned thread) {
    mutexes_[index].holder = thread;
    mutexes_[index].wanted_since[thread] = forever;
}

void sync_unit::release(unsigned index, unsigned thread, cycles at) {
    mutex& one = mutexes_[index];
    if (one.holder != thread) return;
    const auto waits = [&](unsigned other) { return one.wanted_since[other] <= at; };
    const unsigned next = (thread + 1) % isa::thread_count, last = (thread + 2) % isa::thread_count;
    one.holder = waits(next) && waits(last) ? next : nobody;
    one.free_from = at + one_cycle;
    announce(at);
}

} // namespace sfpu::frontend
