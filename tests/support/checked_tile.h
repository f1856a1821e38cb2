// A tile with checkers of the base protocol on all sockets inside it; all its accesses come from programs, so
// payloads must be legal.
#pragma once

#include "protocol_checker.h"

#include <sfpu/platform/tile_run.h>

namespace sfpu::test {

struct tile_checkers {
    checked_bindings checkers{true};
};

/// The checkers live longer than what they are bound to.
class checked_tile : private tile_checkers, public platform::tile_run {
public:
    checked_tile(const sc_core::sc_module_name& name, const parameters& config)
        : platform::tile_run(name, config, &checkers) {}
    /// Transactions inside the tile.
    unsigned transactions() const { return checkers.transactions(); }
};

} // namespace sfpu::test
