#include "memory_files.h"

#include <sfpu/common/shown_name.h>

#include "program.h"

#include <fmt/format.h>

#include <charconv>
#include <set>

namespace sfpu::cli {
namespace {

/// Regions that can be read and written as bytes, without side effects.
const std::set<std::string> memory_regions{"l1", "ram", "local_ram", "dst_window"};

std::optional<std::uint64_t> parse_number(std::string_view text) {
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text[0] == '0') {
        base = 8;
        text.remove_prefix(1);
    }
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, base);
    if (text.empty() || error != std::errc{} || stopped != end) return std::nullopt;
    return value;
}

bool is_for_l1(const memory_file& what) { return what.option.compare(0, 4, "--l1") == 0; }

void add_memory_option(CLI::App& app, const std::string& name,
                       std::vector<std::pair<std::string, std::string>>& to, const char* shape,
                       const char* help) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [&to, name](const std::vector<std::string>& given) {
               for (const std::string& each : given) to.emplace_back(name, each);
           },
           help)
        ->type_name(shape)
        ->type_size(1)
        ->allow_extra_args(false);
}

} // namespace

memory_file parse_memory_file(const std::string& option, std::string_view text, memory_file_kind kind) {
    const char* const shape = kind == memory_file_kind::load ? "ADDR=FILE" : "ADDR:LENGTH=FILE";
    const auto refuse = [&](const std::string& what) {
        return user_error(fmt::format("{}: found '{}', expected {}{}", option, text, shape, what));
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals + 1 == text.size()) throw refuse("");
    memory_file result{option, 0, 0, std::string(text.substr(equals + 1))};
    std::string_view numbers = text.substr(0, equals);
    if (kind == memory_file_kind::dump) {
        const std::size_t colon = numbers.find(':');
        if (colon == std::string_view::npos) throw refuse("");
        const auto length = parse_number(numbers.substr(colon + 1));
        if (!length || *length == 0 || *length > 0x1'0000'0000u)
            throw refuse(" with a length from 1 to 0x100000000, such as 64 or 0x1000");
        result.length = *length;
        numbers = numbers.substr(0, colon);
    }
    const auto address = parse_number(numbers);
    if (!address || *address > 0xffff'ffffu)
        throw refuse(" with an address from 0 to 0xffffffff, such as 0x1000");
    result.address = *address;
    return result;
}

void check_range(const memory_file& what, std::uint64_t length, const memory::address_map& map,
                 bool only_l1) {
    if (length == 0) return;
    const std::string reason = map.explain(what.address, length, 0);
    if (!reason.empty())
        throw user_error(fmt::format("{}: {}: {}", what.option, shown_name(what.file), reason));
    const memory::region& place = map.regions()[static_cast<std::size_t>(map.find(what.address, 0))];
    if (only_l1 ? place.name != "l1" : memory_regions.count(place.name) == 0)
        throw user_error(fmt::format("{}: {}: {:#x} lies in {} ({}), expected an address of {}", what.option,
                                     shown_name(what.file), what.address, place.name, place.meaning,
                                     only_l1 ? "L1" : "l1, ram, local_ram or dst_window"));
}

void memory_arguments::add_options(CLI::App& app) {
    add_memory_option(app, "--l1-load", load_operands_, "ADDR=FILE",
                      "bytes to put into L1 before the run (repeatable)");
    add_memory_option(app, "--l1-dump", dump_operands_, "ADDR:LENGTH=FILE",
                      "bytes of L1 to write after the run (repeatable)");
    add_memory_option(app, "--load", load_operands_, "ADDR=FILE", "the same for any memory of the tile");
    add_memory_option(app, "--dump", dump_operands_, "ADDR:LENGTH=FILE",
                      "the same for any memory of the tile");
}

std::vector<analysis::memory_bytes> memory_arguments::loads(const memory::address_map& map) const {
    std::vector<analysis::memory_bytes> loads;
    for (const auto& [option, text] : load_operands_) {
        const memory_file what = parse_memory_file(option, text, memory_file_kind::load);
        std::string bytes = read_input(what.file);
        check_range(what, bytes.size(), map, is_for_l1(what));
        loads.push_back({static_cast<std::uint32_t>(what.address), std::move(bytes)});
    }
    return loads;
}

std::vector<analysis::memory_range> memory_arguments::open_dumps(const memory::address_map& map) {
    std::vector<analysis::memory_range> ranges;
    for (const auto& [option, text] : dump_operands_) {
        const memory_file what = parse_memory_file(option, text, memory_file_kind::dump);
        check_range(what, what.length, map, is_for_l1(what));
        ranges.push_back({static_cast<std::uint32_t>(what.address), what.length});
        dumps_.emplace_back(what.file);
    }
    return ranges;
}

void memory_arguments::write_dumps(const std::vector<std::string>& bytes) {
    for (std::size_t i = 0; i < dumps_.size(); ++i) {
        dumps_[i].stream() << bytes[i];
        dumps_[i].commit();
    }
}

} // namespace sfpu::cli
