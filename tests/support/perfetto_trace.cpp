#include "perfetto_trace.h"

#include <fmt/format.h>
#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace sfpu::test {
namespace {

void require(bool condition, const std::string& what) {
    if (!condition) throw std::runtime_error(what);
}

enum wire : unsigned { varint = 0, fixed64 = 1, bytes = 2 };

struct field {
    unsigned number = 0;
    unsigned type = 0;
    std::uint64_t value = 0;  ///< of a number
    std::string_view content; ///< of bytes
};

/// Hands out the fields of a message, one after the other.
class field_reader {
public:
    explicit field_reader(std::string_view message) : left_(message) {}

    bool next(field& found) {
        if (left_.empty()) return false;
        const std::uint64_t key = number();
        found = {static_cast<unsigned>(key >> 3), static_cast<unsigned>(key & 7), 0, {}};
        require(found.number != 0, "field 0");
        switch (found.type) {
        case varint: found.value = number(); break;
        case fixed64: found.value = eight_bytes(); break;
        case bytes: found.content = take(number()); break;
        default: require(false, fmt::format("wire type {}", found.type));
        }
        return true;
    }

private:
    std::string_view take(std::uint64_t size) {
        require(size <= left_.size(), "a field reaches beyond its message");
        const std::string_view taken = left_.substr(0, size);
        left_.remove_prefix(size);
        return taken;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            require(shift < 64, "a number of more than 64 bits");
            const auto part = static_cast<unsigned char>(take(1)[0]);
            value |= std::uint64_t{part & 0x7fu} << shift;
            if (part < 0x80) return value;
        }
    }
    std::uint64_t eight_bytes() {
        std::uint64_t value = 0;
        std::memcpy(&value, take(8).data(), 8);
        return value;
    }

    std::string_view left_;
};

/// A message whose fields must be among `known`, by number with their wire types, each of them once at most
/// unless it is among `repeated`.
class message {
public:
    message(std::string_view content, const std::map<unsigned, wire>& known,
            const std::set<unsigned>& repeated = {}) {
        field_reader fields(content);
        for (field found; fields.next(found);) {
            const auto expected = known.find(found.number);
            require(expected != known.end(), fmt::format("field {} is not known here", found.number));
            require(expected->second == found.type,
                    fmt::format("field {} has wire type {}", found.number, found.type));
            std::vector<field>& all = fields_[found.number];
            require(all.empty() || repeated.count(found.number) != 0,
                    fmt::format("field {} twice", found.number));
            all.push_back(found);
        }
    }

    bool has(unsigned number) const { return fields_.count(number) != 0; }
    std::size_t size() const { return fields_.size(); }
    std::uint64_t number(unsigned of, std::uint64_t otherwise = 0) const {
        const auto found = fields_.find(of);
        return found == fields_.end() ? otherwise : found->second.front().value;
    }
    std::string_view content(unsigned of) const {
        const auto found = fields_.find(of);
        require(found != fields_.end(), fmt::format("field {} is missing", of));
        return found->second.front().content;
    }
    std::string text(unsigned of) const { return std::string(content(of)); }
    const std::vector<field>& all(unsigned of) const {
        static const std::vector<field> none;
        const auto found = fields_.find(of);
        return found == fields_.end() ? none : found->second;
    }

private:
    std::map<unsigned, std::vector<field>> fields_;
};

std::string decompressed(std::string_view compressed) {
    constexpr std::size_t most = std::size_t{1} << 20;
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    std::string result(most, '\0');
    std::size_t read = 0, written = 0;
    const libdeflate_result outcome =
        libdeflate_zlib_decompress_ex(decompressor.get(), compressed.data(), compressed.size(), result.data(),
                                      result.size(), &read, &written);
    require(outcome == LIBDEFLATE_SUCCESS && read == compressed.size(), "the compressed packets");
    result.resize(written);
    return result;
}

} // namespace

class perfetto_trace::reader {
public:
    explicit reader(perfetto_trace& to) : to_(to) {}

    void read(std::string_view file, bool is_compressed = false) {
        field_reader packets(file);
        for (field found; packets.next(found);) {
            require(found.number == 1 && found.type == bytes, "a trace is made of packets");
            const message packet(found.content, {{6, bytes},
                                                 {8, varint},
                                                 {10, varint},
                                                 {11, bytes},
                                                 {12, bytes},
                                                 {13, varint},
                                                 {50, bytes},
                                                 {58, varint},
                                                 {59, bytes},
                                                 {60, bytes},
                                                 {87, varint}});
            if (packet.has(50)) {
                require(!is_compressed && packet.size() == 1, "a packet of compressed packets");
                read(decompressed(packet.content(50)), true);
            } else {
                read_packet(packet);
            }
        }
    }

    /// Gives each slice its end: slices of a track follow each other, so the n-th end in the order of time
    /// belongs to the n-th begin.
    void finish() {
        std::map<thread_id, std::vector<slice*>> begins;
        for (slice& each : to_.slices_) begins[each.thread].push_back(&each);
        require(begins.size() == ends_.size(), "slices without end");
        for (auto& [on, slices] : begins) {
            std::vector<std::int64_t>& ends = ends_[on];
            require(ends.size() == slices.size(), "begins and ends differ");
            std::sort(ends.begin(), ends.end());
            std::sort(slices.begin(), slices.end(),
                      [](const slice* a, const slice* b) { return a->begin < b->begin; });
            for (std::size_t i = 0; i < ends.size(); ++i) slices[i]->end = ends[i];
        }
        require(starts_.empty(), "half an arrow");
    }

private:
    enum table : unsigned { categories = 1, names = 2, arg_names = 3, arg_texts = 29 };
    enum event_type : unsigned { begin = 1, end = 2, instant_type = 3, counter = 4 };

    void read_packet(const message& packet) {
        require(packet.number(10) == 1, "one sequence");
        const std::uint64_t flags = packet.number(13);
        if (flags & 1) is_cleared_ = true;
        if (packet.has(59)) default_clock_ = message(packet.content(59), {{58, varint}}).number(58);
        if (packet.has(12)) intern(packet.content(12));
        if (packet.has(6)) read_clocks(packet.content(6));
        if (packet.has(60)) describe(packet.content(60));
        if (!packet.has(11)) return;
        require(is_cleared_ && (flags & 2), "interned data without the flags");
        const std::int64_t unit = units_.at(packet.number(58, default_clock_));
        // Nanoseconds of the file are picoseconds of the model.
        read_event(packet.content(11), static_cast<std::int64_t>(packet.number(8)) * unit);
    }

    void read_clocks(std::string_view content) {
        const message snapshot(content, {{1, bytes}}, {1});
        for (const field& each : snapshot.all(1)) {
            const message clock(each.content, {{1, varint}, {2, varint}, {4, varint}});
            require(clock.number(2) == 0, "clocks begin together");
            units_[clock.number(1)] = static_cast<std::int64_t>(clock.number(4, 1));
        }
        require(units_.count(6) == 1, "the clock of the file");
    }

    void intern(std::string_view content) {
        const message data(content, {{1, bytes}, {2, bytes}, {3, bytes}, {29, bytes}}, {1, 2, 3, 29});
        for (const unsigned each : {categories, names, arg_names, arg_texts})
            for (const field& found : data.all(each)) {
                const message entry(found.content, {{1, varint}, {2, bytes}});
                require(entry.number(1) != 0 && texts_[each].emplace(entry.number(1), entry.text(2)).second,
                        "an identifier twice");
            }
    }

    void describe(std::string_view content) {
        const message description(content,
                                  {{1, varint}, {2, bytes}, {3, bytes}, {4, bytes}, {5, varint}, {8, bytes}});
        const std::uint64_t uuid = description.number(1);
        require(uuid != 0 && uuids_.insert(uuid).second, "uuid of a track");
        if (description.has(3)) {
            const message process(description.content(3), {{1, varint}, {6, bytes}, {8, bytes}}, {8});
            to_.processes_[process.number(1)] = process.text(6);
            process_uuids_.insert(uuid);
            for (const field& label : process.all(8)) to_.labels_.emplace(label.content);
        } else if (description.has(4)) {
            const message thread(description.content(4), {{1, varint}, {2, varint}, {3, varint}, {5, bytes}});
            const thread_id found{thread.number(1), thread.number(2)};
            require(to_.processes_.count(found.first) == 1, "a thread of a process");
            require(to_.threads_.emplace(found, thread.text(5)).second, "a thread twice");
            threads_[uuid] = found;
        } else {
            require(description.has(8) && process_uuids_.count(description.number(5)) == 1,
                    "a counter of a process");
            counters_[uuid] = description.text(2);
        }
    }

    void read_event(std::string_view content, std::int64_t at) {
        const message event(content,
                            {{3, varint},
                             {4, bytes},
                             {6, bytes},
                             {9, varint},
                             {10, varint},
                             {11, varint},
                             {23, bytes},
                             {30, varint},
                             {44, fixed64}},
                            {4});
        if (event.number(9) == counter) {
            to_.counts_.push_back({counters_.at(event.number(11)), at, counted(event)});
            return;
        }
        const place where{threads_.at(event.number(11)), at};
        if (event.number(9) == end) {
            require(event.size() == 2, "the end of a slice has nothing to say");
            ends_[where.thread].push_back(at);
            return;
        }
        require(event.has(23) != event.has(10), "one name of an event");
        const std::string name = event.has(23) ? event.text(23) : text(names, event.number(10));
        const std::string category = text(categories, event.number(3));
        if (event.has(6)) {
            read_arrow_end(event.content(6), name, category, where);
        } else if (event.number(9) == begin) {
            to_.slices_.push_back({where.thread, name, category, at, at, args(event)});
        } else {
            require(event.number(9) == instant_type, fmt::format("type {}", event.number(9)));
            to_.instants_.push_back({where, name, category, args(event)});
        }
    }

    static double counted(const message& event) {
        require(event.has(30) != event.has(44), "one value of a counter");
        if (event.has(30)) return static_cast<double>(static_cast<std::int64_t>(event.number(30)));
        const std::uint64_t bits = event.number(44);
        double value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }

    void read_arrow_end(std::string_view content, const std::string& name, const std::string& category,
                        const place& where) {
        const message detail(content, {{2, varint}, {6, varint}, {12, varint}});
        const std::uint64_t id = detail.number(6);
        if (detail.number(2) == 's') {
            require(starts_.emplace(id, arrow{name, category, where, {}}).second, "an arrow twice");
            return;
        }
        require(detail.number(2) == 'f' && detail.number(12) == 1,
                "the end of an arrow binds to the slice around it");
        const auto start = starts_.find(id);
        require(start != starts_.end(), "half an arrow");
        require(start->second.name == name && start->second.category == category, "ends of an arrow differ");
        start->second.to = where;
        to_.arrows_.push_back(start->second);
        starts_.erase(start);
    }

    nlohmann::json args(const message& event) const {
        nlohmann::json found = nlohmann::json::object();
        for (const field& each : event.all(4)) {
            const message arg(each.content,
                              {{1, varint}, {3, varint}, {4, varint}, {6, bytes}, {7, varint}, {17, varint}});
            require(arg.size() == 2, "a name and a value");
            nlohmann::json& value = found[text(arg_names, arg.number(1))];
            require(value.is_null(), "an arg twice");
            if (arg.has(3)) value = arg.number(3);
            else if (arg.has(4)) value = static_cast<std::int64_t>(arg.number(4));
            else if (arg.has(6)) value = arg.text(6);
            else if (arg.has(7)) value = fmt::format("0x{:08x}", arg.number(7));
            else value = text(arg_texts, arg.number(17));
        }
        return found;
    }

    const std::string& text(unsigned of, std::uint64_t id) const {
        const auto& known = texts_.at(of);
        const auto found = known.find(id);
        require(found != known.end(), fmt::format("identifier {} was not defined", id));
        return found->second;
    }

    perfetto_trace& to_;
    bool is_cleared_ = false;
    std::uint64_t default_clock_ = 0;
    std::map<std::uint64_t, std::int64_t> units_;                    ///< by clock
    std::map<unsigned, std::map<std::uint64_t, std::string>> texts_; ///< by table and identifier
    std::set<std::uint64_t> uuids_, process_uuids_;
    std::map<std::uint64_t, thread_id> threads_;    ///< by uuid
    std::map<std::uint64_t, std::string> counters_; ///< by uuid
    std::map<thread_id, std::vector<std::int64_t>> ends_;
    std::map<std::uint64_t, arrow> starts_; ///< of arrows whose end is not known yet
};

perfetto_trace::perfetto_trace(const std::string& file) {
    reader all(*this);
    all.read(file);
    all.finish();
    check_slices();
    check_arrows();
}

std::vector<perfetto_trace::slice> perfetto_trace::slices(const std::string& thread,
                                                          const std::string& name) const {
    std::vector<slice> found;
    for (const slice& each : slices_)
        if (each.name == name && threads_.at(each.thread) == thread) found.push_back(each);
    return found;
}

const perfetto_trace::slice& perfetto_trace::find(const std::string& thread, const std::string& name) const {
    for (const slice& each : slices_)
        if (each.name == name && threads_.at(each.thread) == thread) return each;
    throw std::runtime_error("no slice " + name + " on " + thread);
}

std::vector<std::pair<std::string, std::string>> perfetto_trace::joined(const std::string& category) const {
    std::vector<std::pair<std::string, std::string>> found;
    for (const arrow& each : arrows_)
        if (each.category == category)
            found.emplace_back(enclosing(each.from).args.at("text"), enclosing(each.to).args.at("text"));
    return found;
}

std::set<std::string> perfetto_trace::thread_names() const {
    std::set<std::string> names;
    for (const auto& [thread, name] : threads_) names.insert(name);
    return names;
}

const perfetto_trace::slice& perfetto_trace::enclosing(const place& where) const {
    for (const slice& each : slices_)
        if (each.thread == where.thread && each.begin <= where.at && where.at < each.end) return each;
    throw std::runtime_error("an arrow ends outside of all slices");
}

void perfetto_trace::check_slices() const {
    for (const slice& a : slices_) {
        require(a.begin < a.end, "a slice needs a length");
        for (const slice& b : slices_)
            require(&a == &b || a.thread != b.thread || a.end <= b.begin || b.end <= a.begin,
                    "slices of a thread overlap");
    }
}

void perfetto_trace::check_arrows() const {
    for (const arrow& each : arrows_) {
        require(each.from.at < each.to.at, "an arrow goes back in time");
        enclosing(each.from);
        enclosing(each.to);
    }
}

} // namespace sfpu::test
