// Dst memory without ports: storage, when stores are seen by loads (T6, T7), what is reported of both. Plain
// C++, a value.
#pragma once

#include <sfpu/common/parameters.h>
#include <sfpu/dst/dst_storage.h>
#include <sfpu/dst/slice_memory.h>
#include <sfpu/probe/reporter.h>

#include <boost/circular_buffer.hpp>

#include <array>
#include <cstdint>

namespace sfpu::dst {

/// Rules T6 and T7 live in sfpu/timing/dst_rules.h; this class applies them to slices.
class dst_core final : public slice_memory {
public:
    dst_core() { reset(parameters{}, nullptr); }

    /// Back to zeros, with a new configuration. The reporter may be null and must outlive the next reset().
    void reset(const parameters& config, probe::reporter* reporter);
    /// A copy reports to nobody until it is told to whom.
    void report_to(probe::reporter* reporter) { reporter_ = reporter; }

    void load(const slice& access, lanes& data) override { load_here(access, data); }
    void store(const slice& access, const lanes& data) override { store_here(access, data); }
    /// The same, inlined into whoever calls them.
    void load_here(const slice& access, lanes& data);
    void store_here(const slice& access, const lanes& data);

    /// Puts the stores in place that loads of this cycle see. Nobody loads in an earlier cycle any more.
    void apply_stores_visible_at(cycles at);
    /// Puts all stores in place (end of a run).
    void settle();
    /// A row of storage was written from outside the vector unit in this cycle; loads of its 8x16 block that
    /// come too soon are reported from now on (tile.md K7).
    void note_external_write(unsigned row, cycles at);

    /// From now on 16-bit accesses go to upper halves of 32-bit cells (bit 11 of DBG_FEATURE_DISABLE). What
    /// the chip leaves in the lower half at a store is not known; here it stays. Stores that wait are put in
    /// place first.
    void set_upper_halves(bool are_meant) {
        settle();
        upper_halves_ = are_meant;
    }

    dst_storage& storage() { return storage_; }
    const dst_storage& storage() const { return storage_; }
    std::uint64_t reads() const { return reads_; }
    std::uint64_t writes() const { return writes_; }

private:
    friend class access_watch;

    struct delayed_store {
        cycles visible;
        slice access;
        lanes data;
    };
    struct place;

    [[gnu::noinline]] void load_with_care(const slice& access, lanes& data);
    [[gnu::noinline]] void delay_store(const slice& access, const lanes& data);
    void read(const place& where, lanes& data) const;
    void write_now(const place& where, const slice& access, const lanes& data);
    bool may_be_close(const place& where, cycles at) const;
    bool is_close(const place& where, cycles at) const;
    void report_close_store(const slice& access, const place& where);
    void report_unsettled(const slice& access, const place& where);

    dst_storage storage_;
    probe::reporter* reporter_ = nullptr;
    parameters config_;
    cycles warned_{}; ///< the farthest load that may have to be reported
    std::uint64_t reads_ = 0, writes_ = 0;
    bool upper_halves_ = false;
    bool immediate_ = true; ///< stores are visible in the next cycle at the latest: no buffer needed
    boost::circular_buffer<delayed_store> delayed_;
    /// Cycle of the latest store by half of the columns (even, odd) and row group of storage (row / 4).
    std::array<std::array<cycles, row_count / 4>, 2> last_store_{};
    std::array<cycles, row_count / 8> external_write_{}; ///< cycle of the latest one by 8x16 block
    cycles unsettled_until_{}; ///< no load from here on needs a look at external_write_
    cycles careful_until_{};   ///< the same; the end of time if stores are not immediate
};

} // namespace sfpu::dst

#include <sfpu/dst/dst_core-inl.h>
