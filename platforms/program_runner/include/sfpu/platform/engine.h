// A vector unit and its Dst as one value: copying it is a checkpoint, and two of them run on two threads.
// Plain C++.
#pragma once

#include <sfpu/dst/access_watch.h>
#include <sfpu/dst/dst_core.h>
#include <sfpu/platform/dst_rows.h>
#include <sfpu/vector_unit/vector_unit_core.h>

namespace sfpu::platform {

class engine {
public:
    /// `push_ports`: 1 to isa::thread_count, see issue_core.
    explicit engine(unsigned push_ports = 1);
    /// Continues to the same state, cycles, counters and diagnostics as the original, which executes what it
    /// has put off first. The copy has no listeners, and has learned nothing of the words that came. No two
    /// threads copy one engine at once.
    engine(const engine& other);
    engine& operator=(const engine&) = delete;

    /// Everything as after construction, with this configuration. The parameters must have no problems().
    void reset(const parameters& config, const unit_listeners& to = {});
    /// The same to all but the time that it takes, see vector_unit_core.
    void restart(const parameters& config, const unit_listeners& to = {});
    /// Others listen from now on.
    void listen(const unit_listeners& to) { unit_.listen(to); }

    /// Whether has_close_accesses() is looked for from the next reset() or restart() on, which comes before
    /// the next word.
    void watch_dst(bool watches);

    /// Words, time, state: see vector_unit_core.
    vector_unit_core& unit() { return unit_; }
    /// With the stores of all words that were issued so far, but those that loads do not see yet. Ask again
    /// after the next push.
    dst::dst_core& dst() {
        unit_.complete();
        return dst_;
    }
    /// Whether some load came so soon behind a store that dst.store_load_visible matters: see
    /// dst::access_watch. True if nobody watches.
    bool has_close_accesses() const { return !watches_dst_ || watch_.has_seen_close(); }
    /// Counts of the unit, of Dst and of diagnostics.
    probe::unit_counters counters();

private:
    dst::dst_core dst_;
    bool watches_dst_ = false;
    dst::access_watch watch_{dst_};
    mutable vector_unit_core
        unit_; ///< executes what it put off when it is copied: nobody sees the difference
};

} // namespace sfpu::platform
