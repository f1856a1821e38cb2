#include "core_arguments.h"

#include "memory_files.h"
#include "options.h"
#include "program.h"

#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <tuple>
#include <utility>

namespace sfpu::cli {
namespace {

/// Options that the short help only names.
constexpr auto program_group = "Programs of single cores";

CLI::Option* add_list(CLI::App& app, const char* name, std::vector<std::string>& to, const char* shape,
                      const char* help) {
    return app.add_option(name, to, help)->type_name(shape)->type_size(1)->allow_extra_args(false);
}

/// A tile option in its parts: LEFT=FILE, where LEFT has a type and numbers.
struct tile_option {
    const char* name;
    const std::string& text;
    const char* shape;

    user_error refused(const std::string& what = {}) const {
        return user_error(fmt::format("{}: found '{}', expected {}{}", name, text, shape, what));
    }
    /// What stands before the first `=`; the file behind it.
    std::string_view left(std::string& file) const {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos || equals + 1 == text.size()) throw refused();
        file = text.substr(equals + 1);
        return std::string_view(text).substr(0, equals);
    }
    isa::data_type type(std::string_view word) const {
        const auto found = isa::find_data_type(word);
        if (!found) throw refused(" with a type of " + isa::data_type_names());
        return *found;
    }
    /// "u16/32": 16-bit elements in the upper halves of 32-bit cells.
    std::pair<isa::data_type, bool> dst_type(std::string_view word) const {
        constexpr std::string_view in_wide_cells = "/32";
        const bool upper_halves = word.size() > in_wide_cells.size() &&
                                  word.substr(word.size() - in_wide_cells.size()) == in_wide_cells;
        if (upper_halves) word.remove_suffix(in_wide_cells.size());
        const isa::data_type found = type(word);
        if (upper_halves && isa::has_wide_cells(found))
            throw refused(" with /32 behind a type of 16 bits only");
        return {found, upper_halves};
    }
    unsigned number(std::string_view word, unsigned least, unsigned most) const {
        unsigned value = 0;
        const bool is_hexadecimal = word.size() > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');
        const char* const first = word.data() + (is_hexadecimal ? 2 : 0);
        const auto [end, error] =
            std::from_chars(first, word.data() + word.size(), value, is_hexadecimal ? 16 : 10);
        if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most)
            throw refused(fmt::format(" with a number from {} to {}, not '{}'", least, most, word));
        return value;
    }
};

/// "a:b" to "a", leaving "b".
std::string_view take(std::string_view& rest, char until) {
    const std::size_t at = rest.find(until);
    const std::string_view first = rest.substr(0, at);
    rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
    return first;
}

unsigned wide_tiles() { return dst_tiles(isa::data_type::f32); }

constexpr const char* dst_in_shape = "TYPE[/32][@TILE]=FILE";
constexpr const char* dst_out_shape = "TYPE[/32][@TILE[+COUNT]]=FILE";
constexpr const char* l1_in_shape = "ADDR:TYPE=FILE";
constexpr const char* l1_out_shape = "ADDR:TYPE[:COUNT]=FILE";
constexpr const char* buffer_shape = "NUMBER:ADDR:PAGESxBYTES[:fill=N|:drain]";

/// NUMBER:ADDR:PAGESxBYTES[:fill=N|:drain]
platform::circular_buffer parse_buffer(const std::string& text) {
    constexpr unsigned address_end = 0x180000;
    const tile_option option{"--cb", text, buffer_shape};
    std::string_view rest = text;
    platform::circular_buffer buffer;
    buffer.number = option.number(take(rest, ':'), 0, 63);
    buffer.address = option.number(take(rest, ':'), 0, address_end);
    std::string_view size = take(rest, ':');
    buffer.pages = option.number(take(size, 'x'), 1, 0xffff);
    buffer.page_bytes = option.number(size, 16, address_end);
    if (buffer.address % 16 || buffer.page_bytes % 16)
        throw option.refused(" with an address and a size of pages that are multiples of 16");
    using side = platform::circular_buffer::host_side;
    const std::string_view host = take(rest, '=');
    if (host == "fill") {
        buffer.host = side::fills;
        buffer.filled = option.number(rest, 0, 0xffff);
    } else if (host == "drain" && rest.empty()) {
        buffer.host = side::drains;
    } else if (!host.empty() || !rest.empty()) {
        throw option.refused();
    }
    return buffer;
}

} // namespace

// --- programs of cores -------------------------------------------------------------------------------------

void core_arguments::add_options(CLI::App& app) {
    const char* const names[] = {"--trisc0", "--trisc1", "--trisc2", "--brisc"};
    for (unsigned core = 0; core < files_.size(); ++core)
        app.add_option(names[core], files_[core],
                       fmt::format("program of {} in place of FIRMWARE, a 32-bit ELF",
                                   core == platform::b_core_number ? "B" : "T" + std::to_string(core)))
            ->type_name("ELF")
            ->group(program_group);
    app.add_option(
           "--loader", loader_,
           "how these begin: plain (if not given), llk (the vendor's kernel library), metal (tt-metal)")
        ->type_name("plain|llk|metal")
        ->group(program_group)
        ->check(CLI::IsMember({"plain", "llk", "metal"}));
    for (unsigned core = 0; core < kernel_names_.size(); ++core)
        app.add_option(fmt::format("--kernel{}", core), kernel_names_[core],
                       fmt::format("kernel that tt-metal's firmware of T{} runs, a 32-bit ELF", core))
            ->type_name("ELF")
            ->group(program_group);
    add_list(app, "--cb", buffers_, buffer_shape,
             "a circular buffer of the kernels; the host fills it with N pages in all, or drains it "
             "(repeatable)")
        ->group(program_group);
    app.add_option("--kernel-arg", arguments_, "an argument of the kernels at run time, 32 bits (repeatable)")
        ->type_name("N")
        ->group(program_group)
        ->check(integer_between(0, std::int64_t{0xffffffff}))
        ->type_size(1)
        ->allow_extra_args(false);
}

kernel_files core_arguments::kernels() const {
    kernel_files kernels;
    kernels.names = kernel_names_;
    bool are_given = false;
    for (const std::string& name : kernel_names_) are_given |= !name.empty();
    if (are_given && loader_ != "metal")
        throw user_error("--kernel0 to --kernel2: found another loader, expected --loader metal");
    if (!are_given && !(buffers_.empty() && arguments_.empty()))
        throw user_error("--cb, --kernel-arg: found no kernel, expected --kernel0 to --kernel2");
    for (const std::string& text : buffers_) {
        kernels.buffers.push_back(parse_buffer(text));
        for (std::size_t i = 0; i + 1 < kernels.buffers.size(); ++i)
            if (kernels.buffers[i].number == kernels.buffers.back().number)
                throw user_error(fmt::format("--cb: found buffer {} twice", kernels.buffers[i].number));
    }
    for (const std::int64_t each : arguments_) kernels.arguments.push_back(static_cast<std::uint32_t>(each));
    if (kernels.arguments.size() > 256) throw user_error("--kernel-arg: expected at most 256");
    return kernels;
}

bool core_arguments::are_given() const {
    for (const std::string& each : files_)
        if (!each.empty()) return true;
    if (!loader_.empty())
        throw user_error("--loader: found no program of a core; expected --brisc or --trisc0 to --trisc2");
    return false;
}

platform::loader_kind core_arguments::loader() const {
    if (loader_ == "llk") return platform::loader_kind::llk;
    if (loader_ == "metal") return platform::loader_kind::metal;
    return platform::loader_kind::plain;
}

firmware core_arguments::read(bool limited) const {
    return read_core_programs(files_, kernels(), loader(), limited);
}

void core_arguments::adapt(parameters& config, const firmware& programs) const {
    config.hart.count = std::max(config.hart.count, programs.cores.t_cores(programs.loader));
    if (programs.cores.of[platform::b_core_number]) config.hart.b_core = true;
}

// --- tiles of elements -------------------------------------------------------------------------------------

void tile_arguments::add_options(CLI::App& app) {
    add_list(app, "--dst-in", dst_in_, dst_in_shape,
             "tiles of a NumPy array to put into Dst before the run, from tile TILE on (repeatable)");
    add_list(app, "--dst-out", dst_out_, dst_out_shape,
             "tiles of Dst to write as a NumPy array after the run (repeatable)");
    add_list(app, "--l1-in", l1_in_, l1_in_shape,
             "tiles of a NumPy array to put into L1 before the run (repeatable)");
    add_list(app, "--l1-out", l1_out_, l1_out_shape,
             "tiles of L1 to write as a NumPy array after the run (repeatable)");
}

void tile_arguments::open(const memory::address_map& map, firmware_options& how) {
    std::string file;
    for (const std::string& text : dst_in_) {
        const tile_option option{"--dst-in", text, dst_in_shape};
        std::string_view rest = option.left(file);
        const auto [type, upper_halves] = option.dst_type(take(rest, '@'));
        const unsigned most = upper_halves ? wide_tiles() : dst_tiles(type);
        const unsigned first = rest.empty() ? 0 : option.number(rest, 0, most - 1);
        tile_tensor tensor = parse_tiles(read_input(file), file, type);
        if (tensor.tiles() > most - first)
            throw user_error(fmt::format("--dst-in: {}: found {} tiles from tile {} on, Dst holds {} of {}",
                                         shown_name(file), tensor.tiles(), first, most, to_string(type)));
        how.dst.push_back({std::move(tensor), first, upper_halves});
    }
    for (const std::string& text : dst_out_) {
        const tile_option option{"--dst-out", text, dst_out_shape};
        std::string_view rest = option.left(file);
        output& to = outputs_.emplace_back();
        std::tie(to.type, to.upper_halves) = option.dst_type(take(rest, '@'));
        const unsigned most = to.upper_halves ? wide_tiles() : dst_tiles(to.type);
        const std::string_view first = take(rest, '+');
        to.first = first.empty() ? 0 : option.number(first, 0, most - 1);
        to.count = rest.empty() ? (first.empty() ? most : 1) : option.number(rest, 1, most - to.first);
        to.file = output_file(file);
    }
    open_l1(map, how);
}

void tile_arguments::open_l1(const memory::address_map& map, firmware_options& how) {
    std::string file;
    for (const std::string& text : l1_in_) {
        const tile_option option{"--l1-in", text, l1_in_shape};
        std::string_view rest = option.left(file);
        const std::string address(take(rest, ':'));
        const tile_tensor tensor = parse_tiles(read_input(file), file, option.type(rest));
        const memory_file place = parse_memory_file("--l1-in", address + "=" + file, memory_file_kind::load);
        std::string bytes = l1_bytes(tensor);
        check_range(place, bytes.size(), map, true);
        how.loads.push_back({static_cast<std::uint32_t>(place.address), std::move(bytes)});
    }
    for (const std::string& text : l1_out_) {
        const tile_option option{"--l1-out", text, l1_out_shape};
        std::string_view rest = option.left(file);
        const std::string address(take(rest, ':'));
        output& to = outputs_.emplace_back();
        to.type = option.type(take(rest, ':'));
        to.count = rest.empty() ? 1 : option.number(rest, 1, 4096);
        const memory_file place = parse_memory_file("--l1-out", address + "=" + file, memory_file_kind::load);
        const std::uint64_t length = std::uint64_t{to.count} * l1_tile_bytes(to.type);
        check_range(place, length, map, true);
        to.dump = how.dumps.size();
        how.dumps.push_back({static_cast<std::uint32_t>(place.address), length});
        to.file = output_file(file);
    }
}

void tile_arguments::write(const firmware_answer& answer) {
    for (output& each : outputs_) {
        const tile_tensor tensor =
            each.dump ? tiles_of_l1(answer.dumps[*each.dump], each.type)
                      : tiles_of(answer.dst, each.type, each.first, each.count, each.upper_halves);
        each.file.stream() << tiles_file(tensor);
        each.file.commit();
    }
}

} // namespace sfpu::cli
