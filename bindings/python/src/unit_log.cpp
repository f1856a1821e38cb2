#include "unit_log.h"

namespace sfpu::python {

void perform(platform::engine& engine, const pushed_words& action, cycles* issued) {
    word_order order;
    order.start = cycles{action.cycle};
    order.index = action.first_word;
    order.index_step = 1;
    order.thread = static_cast<std::uint8_t>(action.thread);
    order.issued = issued;
    engine.unit().issue().push_ordered(0, reinterpret_cast<const unsigned char*>(action.words.data()),
                                       static_cast<unsigned>(action.words.size()), order);
}

/// The stores are in place that the loads of that cycle would see.
void perform(platform::engine& engine, const passed_cycles& action) {
    const cycles now{action.cycle};
    engine.unit().issue().raise_watermarks(now);
    engine.unit().issue().advance_to(now);
    engine.dst().apply_stores_visible_at(now);
}

void perform(platform::engine& engine, const set_register& action) {
    engine.unit().state().vector.lreg[action.number] = action.values;
}

void perform(platform::engine& engine, const set_rows& action) {
    for (const auto& [row, cells] : action.rows) engine.dst().storage().set_row(row, cells);
}

void perform(platform::engine& engine, const unit_action& action) {
    std::vector<cycles> issued;
    if (const auto* words = std::get_if<pushed_words>(&action)) {
        issued.resize(words->words.size());
        perform(engine, *words, issued.data());
    } else {
        std::visit(
            [&](const auto& each) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(each)>, pushed_words>)
                    perform(engine, each);
            },
            action);
    }
}

} // namespace sfpu::python
