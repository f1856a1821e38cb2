// Field numbers of Perfetto's public schema, protos/perfetto/trace/ in its sources, as far as traces use it.
#pragma once

namespace sfpu::traces::schema {

namespace trace {
constexpr unsigned packet = 1;
}
namespace packet {
constexpr unsigned clock_snapshot = 6, timestamp = 8, sequence = 10, track_event = 11, interned_data = 12,
                   sequence_flags = 13, compressed_packets = 50, timestamp_clock = 58, defaults = 59,
                   track_descriptor = 60, first_on_sequence = 87;
constexpr unsigned state_cleared = 1, needs_state = 2; ///< bits of sequence_flags
} // namespace packet
namespace clock_snapshot {
constexpr unsigned clocks = 1;
constexpr unsigned id = 1, timestamp = 2, unit_ns = 4;
constexpr unsigned boot_time = 6,
                   of_cycles = 64; ///< a built-in clock, and the first that a sequence may define
} // namespace clock_snapshot
namespace descriptor {
constexpr unsigned uuid = 1, name = 2, process = 3, thread = 4, parent = 5, counter = 8;
constexpr unsigned process_id = 1, process_name = 6, process_labels = 8;
constexpr unsigned thread_process = 1, thread_id = 2, thread_sort_index = 3, thread_name = 5;
} // namespace descriptor
namespace interned {
constexpr unsigned categories = 1, names = 2, annotation_names = 3, annotation_texts = 29;
constexpr unsigned id = 1, text = 2;
} // namespace interned
namespace event {
constexpr unsigned category_id = 3, annotation = 4, legacy = 6, type = 9, name_id = 10, track = 11, name = 23,
                   counter_value = 30, double_counter_value = 44;
constexpr unsigned slice_begin = 1, slice_end = 2, instant = 3, counter = 4; ///< types
} // namespace event
namespace annotation {
constexpr unsigned name_id = 1, unsigned_value = 3, signed_value = 4, text_value = 6,
                   pointer_value = 7, ///< a number that readers show in hexadecimal
    text_id = 17;
}
/// Flows with names of their own exist as in the older Trace Event Format only.
namespace legacy {
constexpr unsigned phase = 2, id = 6, binds_to_enclosing = 12;
}

} // namespace sfpu::traces::schema
