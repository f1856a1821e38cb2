#include <sfpu/traces/konata_writer.h>

#include "output_buffer.h"
#include "trace_support.h"

#include <sfpu/probe/dependence_tracker.h>
#include <sfpu/probe/event_meaning.h>
#include <sfpu/probe/text_cache.h>
#include <sfpu/probe/trace_window.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace sfpu::traces {

using namespace probe;

namespace {

using instruction_id = std::int64_t; ///< INSN_ID_IN_FILE: 0, 1, 2, ...
constexpr instruction_id not_in_file = -1;

constexpr unsigned most_threads = 3;
constexpr const char* held_stage = "Is";
constexpr const char* stall_stage = "stl";
constexpr const char* hart_stage = "Ex";
constexpr unsigned first_hart_thread = 2;
/// Thread 0 of the unit has threads 0 and 1 of the log; others have two each from here on.
constexpr unsigned threads_of_others = 16;

std::int64_t log_thread(unsigned thread, origin from) {
    const unsigned first = thread == 0 ? 0 : threads_of_others + 2 * (thread - 1);
    return std::int64_t{first} + (from == origin::macro);
}

/// Room for a line of numbers and literals.
constexpr std::size_t longest_line = 160;

const char* stage_of(isa::sub_unit unit) {
    switch (unit) {
    case isa::sub_unit::load: return "XLd";
    case isa::sub_unit::simple: return "XSi";
    case isa::sub_unit::mad: return "XMa";
    case isa::sub_unit::round: return "XRo";
    case isa::sub_unit::store: return "XSt";
    case isa::sub_unit::front_end: break;
    }
    return held_stage;
}

} // namespace

struct konata_writer::implementation {
    /// An instruction whose stage is open; both end at the start of cycle `end`.
    struct running {
        cycles end;
        instruction_id id;
        const char* stage;
        bool flushed;
    };
    /// The word that issue holds.
    struct held_word {
        std::int64_t word;
        instruction_id id;
    };

    implementation(std::ostream& stream, const trace_options& o) : options(o), window(o), out(stream) {
        now = window.first;
        write("Kanata\t0004\nC=\t", now.count(), "\n");
    }

    /// Appends short literals and numbers.
    template <class... Parts>
    void write(Parts... parts) {
        char* end = out.room(longest_line);
        ((end = put_part(end, parts)), ...);
        out.commit(end);
    }
    static char* put_part(char* to, const char* text) { return put(to, std::string_view(text)); }
    static char* put_part(char* to, std::int64_t number) { return put_decimal(to, number); }

    void advance_to(cycles at);
    void retire_until(cycles at);
    void retire(const running& r);
    instruction_id start(std::int64_t word, unsigned thread, origin from);
    instruction_id start_or_resume(const execution_event& event);
    void label(const execution_event& event, instruction_id id);
    void arrows(const execution_event& event, register_set reads, instruction_id id);
    void show(const execution_event& event, instruction_id id);
    void follow(const execution_event& event, register_set writes, instruction_id id);
    void finish(cycles end);

    trace_options options;
    cycle_window window;
    text_cache texts{options.words};
    row_cache rows;
    output_buffer out;

    cycles now; ///< the cycle that the end of the file stands in
    instruction_id next_id = 0;
    std::int64_t next_retire_id = 0;
    std::vector<running> in_flight;
    std::vector<instruction_id> producers;                   ///< of one instruction, kept for its memory
    std::array<std::optional<held_word>, most_threads> held; ///< by thread
    value_tracker<instruction_id> values;
    macro_tracker<instruction_id> macros;
    bool finished = false;
};

void konata_writer::implementation::advance_to(cycles at) {
    if (at <= now) return;
    write("C\t", (at - now).count(), "\n");
    now = at;
}

/// Retires what ends at the start of cycle `at` or before, in the order of time.
void konata_writer::implementation::retire_until(cycles at) {
    const auto is_due = [at](const running& r) { return r.end <= at; };
    while (std::any_of(in_flight.begin(), in_flight.end(), is_due)) {
        const auto earlier = [](const running& a, const running& b) { return a.end < b.end; };
        const auto next = std::min_element(in_flight.begin(), in_flight.end(), earlier);
        advance_to(next->end);
        retire(*next);
        in_flight.erase(next);
    }
}

void konata_writer::implementation::retire(const running& r) {
    write("E\t", r.id, "\t0\t", r.stage, "\nR\t", r.id, "\t", next_retire_id, r.flushed ? "\t1\n" : "\t0\n");
    next_retire_id += !r.flushed;
}

instruction_id konata_writer::implementation::start(std::int64_t word, unsigned thread, origin from) {
    write("I\t", next_id, "\t", word, "\t", log_thread(thread, from), "\n");
    return next_id++;
}

/// A held word is in the file already and leaves its stall here.
instruction_id konata_writer::implementation::start_or_resume(const execution_event& event) {
    std::optional<held_word>& of_thread = held[event.thread % most_threads];
    if (!of_thread || event.from == origin::macro || of_thread->word != event.word)
        return start(event.word, event.thread, event.from);
    const instruction_id id = of_thread->id;
    of_thread.reset();
    write("E\t", id, "\t1\t", stall_stage, "\nE\t", id, "\t0\t", held_stage, "\n");
    return id;
}

void konata_writer::implementation::label(const execution_event& event, instruction_id id) {
    const std::int64_t kernel_row = rows(options, event.word);
    write("L\t", id, "\t0\t");
    out.append(texts[texts.index(event.insn)]);
    if (kernel_row >= 0) write(" [", kernel_row, "]");
    // The viewer turns "\n", written with a backslash, into a new line.
    write("\nL\t", id, "\t1\t");
    write(event.from == origin::macro ? "scheduled by word " : "issued as word ", event.word, "\\ncycle ",
          event.begin.count());
    if (shows_thread(options, event.thread)) write("\\nthread ", std::int64_t{event.thread});
    if (event.discarded) write("\\ndiscarded: a scheduled instruction took its place");
    if (reads_dst(event) || writes_dst(event))
        out.append(fmt::format("\\nDst {:#05x}", shown_dst_address(event)));
    write("\n");
}

void konata_writer::implementation::arrows(const execution_event& event, register_set reads,
                                           instruction_id id) {
    producers.clear();
    const auto add = [this](instruction_id producer) {
        if (producer != not_in_file &&
            std::find(producers.begin(), producers.end(), producer) == producers.end())
            producers.push_back(producer);
    };
    if (event.from == origin::macro)
        if (const instruction_id* macro = macros.find(event.word)) add(*macro);
    values.read(reads, event.begin, [&](unsigned, instruction_id producer) { add(producer); });
    for (const instruction_id producer : producers) write("W\t", id, "\t", producer, "\t0\n");
}

void konata_writer::implementation::show(const execution_event& event, instruction_id id) {
    const char* stage = stage_of(event.unit);
    write("S\t", id, "\t0\t", stage, "\n");
    in_flight.push_back({event.end + one_cycle, id, stage, event.discarded});
}

/// Remembers who wrote what, also before the window, so that a value from there is not taken for an older
/// one.
void konata_writer::implementation::follow(const execution_event& event, register_set writes,
                                           instruction_id id) {
    values.write(writes, event, id);
    if (event.insn.is(isa::opcode::sfploadmacro) && !event.discarded) macros.launch(event.word, id);
}

void konata_writer::implementation::finish(cycles end) {
    retire_until(end);
    advance_to(end);
    for (const running& r : in_flight) retire(r);
    for (const std::optional<held_word>& h : held) {
        if (!h) continue;
        write("L\t", h->id, "\t0\tword ", h->word, "\nE\t", h->id, "\t1\t", stall_stage, "\n");
        retire({end, h->id, held_stage, false});
    }
    out.flush();
    finished = true;
}

konata_writer::konata_writer(std::ostream& out, const trace_options& options)
    : impl_(std::make_unique<implementation>(out, options)) {}
konata_writer::~konata_writer() { finish_quietly(*this); }

void konata_writer::executed(const execution_event& event) {
    if (impl_->finished || event.begin > impl_->window.last) return;
    const register_access access = registers_of(event);
    instruction_id id = not_in_file;
    if (impl_->window.contains(event.begin)) {
        impl_->retire_until(event.begin);
        impl_->advance_to(event.begin);
        id = impl_->start_or_resume(event);
        impl_->label(event, id);
        impl_->show(event, id);
        impl_->arrows(event, access.reads, id);
    }
    impl_->follow(event, access.writes, id);
}

void konata_writer::stalled(const stall_event& event) {
    if (impl_->finished || !impl_->window.contains(event.at)) return;
    std::optional<implementation::held_word>& held = impl_->held[event.thread % most_threads];
    if (held && held->word == event.word) return;
    impl_->retire_until(event.at);
    impl_->advance_to(event.at);
    const instruction_id id = impl_->start(event.word, event.thread, origin::issued);
    impl_->write("L\t", id, "\t1\theld: ", to_string(event.cause), "\\n\nS\t", id, "\t0\t", held_stage,
                 "\nS\t", id, "\t1\t", stall_stage, "\n");
    held = implementation::held_word{event.word, id};
}

void konata_writer::acted(const activity_event& event) {
    if (impl_->finished || !impl_->window.contains(event.begin)) return;
    if (event.unit != tile_unit::hart || std::string_view(event.lane) != "retire") return;
    impl_->retire_until(event.begin);
    impl_->advance_to(event.begin);
    const instruction_id id = impl_->next_id++;
    impl_->write("I\t", id, "\t", id, "\t", std::int64_t{first_hart_thread} + event.instance, "\nL\t", id,
                 "\t0\t");
    impl_->out.append(event.text);
    impl_->write("\nS\t", id, "\t0\t", hart_stage, "\n");
    impl_->in_flight.push_back({event.end + one_cycle, id, hart_stage, false});
}

void konata_writer::finish() {
    reached_cycle end;
    end.reach(impl_->now);
    for (const implementation::running& each : impl_->in_flight) end.reach(each.end - one_cycle);
    finish(end.latest());
}

void konata_writer::finish(cycles last) {
    if (!impl_->finished) impl_->finish(std::max(std::min(last, impl_->window.last) + one_cycle, impl_->now));
}

} // namespace sfpu::traces
