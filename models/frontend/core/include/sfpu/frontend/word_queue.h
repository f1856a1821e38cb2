// The queues between the stages of a thread's pipeline. Pure C++.
#pragma once

#include <cstddef>
#include <vector>

namespace sfpu::frontend {

/// A queue in a ring whose length is a power of two, so that a place is found by a mask. How many elements
/// are "full" is a number of its own.
template <class T>
class word_queue {
public:
    void set_capacity(std::size_t most) {
        std::size_t places = 1;
        while (places < most) places *= 2;
        std::vector<T> moved(places);
        for (std::size_t i = 0; i < size_; ++i) moved[i] = (*this)[i];
        places_.swap(moved);
        mask_ = places - 1;
        first_ = 0;
        capacity_ = most;
    }
    std::size_t capacity() const { return capacity_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    bool full() const { return size_ == capacity_; }

    const T& operator[](std::size_t index) const { return places_[(first_ + index) & mask_]; }
    const T& front() const { return (*this)[0]; }
    const T& back() const { return (*this)[size_ - 1]; }
    /// It must not be full.
    void push_back(const T& element) { places_[(first_ + size_++) & mask_] = element; }
    /// There must be so many.
    void pop_front(std::size_t count = 1) {
        first_ += count;
        size_ -= count;
    }
    void pop_back() { --size_; }

private:
    std::vector<T> places_;
    std::size_t mask_ = 0, first_ = 0, size_ = 0, capacity_ = 0;
};

} // namespace sfpu::frontend
