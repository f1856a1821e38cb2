// How a hart hands several pushes over in one transaction.
#pragma once

#include <sfpu/common/systemc_version.h>

#include <systemc>
#include <tlm>

#include <cstdint>

namespace sfpu::riscv {

/// An ignorable extension of a push. A hart sends more than one word with it only to targets that have
/// answered one, and that said how many further words they would take at once: those wait in the hart until
/// it needs an answer, or until anybody else could see them, and then go together. Who ignores it gets each
/// word in a transaction of its own.
struct push_order : tlm::tlm_extension<push_order> {
    /// When each word comes: cycles after the annotated time. Words with the same number are sent in one
    /// cycle.
    const std::uint32_t* after = nullptr;
    sc_core::sc_time period; ///< of these cycles

    // The answer.
    /// Words that the target takes at once; zero: it does not know the extension, or its clock is another
    /// one.
    unsigned width = 0;
    unsigned sure = 0;      ///< how many words that come later would be taken at once, if nobody else pushes
    std::uint32_t late = 0; ///< cycles for which the last word was held

    tlm::tlm_extension_base* clone() const override { return new push_order(*this); }
    void copy_from(const tlm::tlm_extension_base& other) override {
        *this = static_cast<const push_order&>(other);
    }
};

} // namespace sfpu::riscv
