#include <sfpu/analysis/npy_format.h>

#include <sfpu/analysis/text_files.h>
#include <sfpu/common/shown_name.h>

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>

namespace sfpu::analysis {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64; ///< of the data

/// Reads the header, a Python dictionary of three known keys: {'descr': '<f4', 'fortran_order': False,
/// 'shape': (3, 4)}.
class header_reader {
public:
    header_reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    npy_array read() {
        npy_array array;
        bool has_type = false, has_order = false, has_shape = false;
        expect('{');
        while (!accept('}')) {
            const std::string_view key = quoted();
            expect(':');
            if (key == "descr") {
                if (!peek('\'') && !peek('"'))
                    fail("an array of records, expected one of numbers"); // a list of fields
                array.type = quoted();
                has_type = true;
            } else if (key == "fortran_order") {
                array.fortran_order = truth();
                has_order = true;
            } else if (key == "shape") {
                array.shape = shape();
                has_shape = true;
            } else {
                fail(fmt::format("the key '{}', expected 'descr', 'fortran_order' or 'shape'", key));
            }
            if (!accept(',') && !peek('}')) fail("no comma between two keys");
        }
        if (!has_type || !has_order || !has_shape)
            fail("not all of the keys 'descr', 'fortran_order' and 'shape'");
        return array;
    }

private:
    [[noreturn]] void fail(const std::string& found) const {
        throw user_error(fmt::format("{}: damaged .npy header: found {}", shown_name(file_), found));
    }
    void skip_blanks() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    bool peek(char wanted) {
        skip_blanks();
        return at_ < text_.size() && text_[at_] == wanted;
    }
    bool accept(char wanted) {
        if (!peek(wanted)) return false;
        ++at_;
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted)) fail(fmt::format("no '{}' where one is due", wanted));
    }
    std::string_view quoted() {
        const char quote = peek('"') ? '"' : '\'';
        expect(quote);
        const std::size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) fail("a string without an end");
        const std::string_view result = text_.substr(at_, end - at_);
        at_ = end + 1;
        return result;
    }
    bool truth() {
        skip_blanks();
        for (const std::string_view word : {"True", "False"})
            if (text_.substr(at_, word.size()) == word) {
                at_ += word.size();
                return word == "True";
            }
        fail("neither True nor False for 'fortran_order'");
    }
    std::vector<std::size_t> shape() {
        std::vector<std::size_t> result;
        expect('(');
        while (!accept(')')) {
            skip_blanks();
            std::size_t extent = 0;
            const auto [end, error] =
                std::from_chars(text_.data() + at_, text_.data() + text_.size(), extent);
            if (error != std::errc()) fail("a shape that is no tuple of numbers");
            at_ = static_cast<std::size_t>(end - text_.data());
            result.push_back(extent);
            accept('L'); // Python 2 wrote long integers so
            if (!accept(',') && !peek(')')) fail("a shape that is no tuple of numbers");
        }
        return result;
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
};

/// Bytes of an element, if the type is a number.
std::optional<std::size_t> element_bytes(std::string_view type) {
    if (type.size() != 3 || std::string_view("<>|=").find(type[0]) == std::string_view::npos ||
        std::string_view("fiub").find(type[1]) == std::string_view::npos || type[2] < '1' || type[2] > '8')
        return std::nullopt;
    return static_cast<std::size_t>(type[2] - '0');
}

std::size_t little_endian(std::string_view bytes) {
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

} // namespace

std::size_t npy_array::elements() const {
    std::size_t product = 1;
    for (const std::size_t extent : shape) {
        if (extent != 0 && product > std::numeric_limits<std::size_t>::max() / extent)
            return std::numeric_limits<std::size_t>::max();
        product *= extent;
    }
    return product;
}

npy_array parse_npy(std::string_view bytes, const std::string& file) {
    constexpr std::size_t version_at = 6, length_at = 8;
    if (bytes.substr(0, magic.size()) != magic)
        throw user_error(shown_name(file) + ": no .npy file: it does not begin with \\x93NUMPY");
    const unsigned version = bytes.size() > version_at ? static_cast<unsigned char>(bytes[version_at]) : 0;
    if (version < 1 || version > 3)
        throw user_error(fmt::format("{}: .npy format of version {}, expected 1.0, 2.0 or 3.0",
                                     shown_name(file), version));
    const std::size_t length_bytes = version == 1 ? 2 : 4, header_at = length_at + length_bytes;
    const std::size_t length =
        bytes.size() < header_at ? 0 : little_endian(bytes.substr(length_at, length_bytes));
    if (bytes.size() < header_at || bytes.size() - header_at < length)
        throw user_error(shown_name(file) + ": the .npy file ends inside its header");

    npy_array array = header_reader(bytes.substr(header_at, length), file).read();
    array.data = bytes.substr(header_at + length);
    const auto size = element_bytes(array.type);
    if (!size)
        throw user_error(
            fmt::format("{}: found elements of type '{}', expected numbers", shown_name(file), array.type));
    if (array.data.size() % *size != 0 || array.data.size() / *size != array.elements())
        throw user_error(fmt::format("{}: found {} bytes of data, expected {} elements of {} bytes, shape {}",
                                     shown_name(file), array.data.size(), array.elements(), *size,
                                     shape_text(array.shape)));
    return array;
}

std::string npy_header(std::string_view type, const std::vector<std::size_t>& shape) {
    std::string header =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape_text(shape));
    const std::size_t before = magic.size() + 4; // version and length
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
    header += '\n';
    std::string bytes(magic);
    bytes += {1, 0, static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    return bytes + header;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
    return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

} // namespace sfpu::analysis
