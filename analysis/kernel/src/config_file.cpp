#include <sfpu/analysis/config_file.h>

#include <sfpu/analysis/json_nesting.h>
#include <sfpu/analysis/text_files.h>

#include <nlohmann/json.hpp>

#include <charconv>
#include <cstddef>
#include <iterator>
#include <vector>

namespace sfpu::analysis {
namespace {

using json = nlohmann::ordered_json;

/// Iterates over a text and tells how far the parser has come.
class tracking_iterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    tracking_iterator(const char* at, const char** reached) : at_(at), reached_(reached) {}
    reference operator*() const { return *at_; }
    tracking_iterator& operator++() {
        *reached_ = ++at_;
        return *this;
    }
    tracking_iterator operator++(int) {
        const tracking_iterator before = *this;
        ++*this;
        return before;
    }
    bool operator==(const tracking_iterator& other) const { return at_ == other.at_; }
    bool operator!=(const tracking_iterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    const char** reached_;
};

/// The value as set_parameter() takes it. JSON numbers are decimal, also for parameters that are written in
/// hexadecimal; an order may be an array of names.
std::string value_text(const json& value, const parameter_row* row) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_unsigned() && row && row->type == parameter_type::hexadecimal) {
        char digits[16];
        return {digits, std::to_chars(digits, digits + sizeof digits, value.get<std::uint64_t>(), 16).ptr};
    }
    return value.dump();
}

/// Applies settings while the parser meets them, so that each fault has a position.
class config_reader : public nlohmann::json_sax<json> {
public:
    config_reader(const std::string& file, std::string_view text, parameters& config)
        : file_(file), text_(text), config_(config), reached_(text.data()) {}

    void read() {
        const tracking_iterator first(text_.data(), &reached_), last(text_.data() + text_.size(), &reached_);
        json::sax_parse(first, last, this);
    }

    bool null() override { return scalar(nullptr); }
    bool boolean(bool value) override { return scalar(value); }
    bool number_integer(std::int64_t value) override { return scalar(value); }
    bool number_unsigned(std::uint64_t value) override { return scalar(value); }
    bool number_float(double value, const std::string&) override { return scalar(value); }
    bool string(std::string& value) override { return scalar(value); }
    bool binary(json::binary_t&) override { return false; }

    bool start_object(std::size_t) override {
        if (in_array_) fail("found an object in an array, expected a name");
        if (!prefix_lengths_.empty()) require_section();
        prefix_lengths_.push_back(path_.size());
        return true;
    }
    bool end_object() override {
        path_.resize(prefix_lengths_.back());
        prefix_lengths_.pop_back();
        return true;
    }
    bool key(std::string& name) override {
        path_.resize(prefix_lengths_.back());
        if (!path_.empty()) path_ += '.';
        path_ += name;
        const auto end = static_cast<std::size_t>(reached_ - text_.data());
        key_offset_ = end >= name.size() + 2 ? end - name.size() - 2 : 0; // of the opening quote
        return true;
    }

    bool start_array(std::size_t) override {
        require_object();
        const parameter_row* row = find_parameter(path_);
        if (in_array_ || (row && row->type != parameter_type::order))
            fail(path_ + ": found an array, expected one value");
        in_array_ = true;
        elements_.clear();
        return true;
    }
    bool end_array() override {
        in_array_ = false;
        return set(elements_);
    }

    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        const json_fault fault = fault_of(file_, text_, error);
        throw input_error(fault.place + ": " + shortened(fault.reason));
    }

private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw input_error(to_string(file_, position_of(text_, key_offset_)) + ": " + problem);
    }
    void require_object() const {
        if (prefix_lengths_.empty()) fail("expected an object with parameters");
    }
    /// An object must hold a group of parameters, even if it is empty.
    void require_section() const {
        std::vector<std::string> sections;
        for (const parameter_row& row : parameter_table()) {
            const std::string_view path = row.path;
            for (std::size_t dot = path.find('.'); dot != std::string_view::npos;
                 dot = path.find('.', dot + 1)) {
                if (path.substr(0, dot) == path_) return;
                sections.emplace_back(path.substr(0, dot));
            }
        }
        fail("unknown group of parameters '" + path_ + "'" +
             suggestion(path_, sections, "; 'sfpusim info --params' lists all"));
    }
    bool scalar(const json& value) {
        require_object();
        const std::string text = value_text(value, find_parameter(path_));
        if (!in_array_) return set(text);
        if (!elements_.empty()) elements_ += ',';
        elements_ += text;
        return true;
    }
    bool set(const std::string& value) {
        if (const auto problem = set_parameter(config_, path_, value)) fail(*problem);
        return true;
    }

    const std::string& file_;
    std::string_view text_;
    parameters& config_;
    const char* reached_;
    std::string path_;                        ///< dotted path of the latest key
    std::vector<std::size_t> prefix_lengths_; ///< length of the path at each open object
    std::size_t key_offset_ = 0;
    bool in_array_ = false;
    std::string elements_; ///< of the open array, separated by commas
};

} // namespace

void apply_config_file(const std::string& file, parameters& config) {
    constexpr std::size_t largest = std::size_t{4} << 20; // each setting is looked up in the table
    const std::string text = read_input(file, largest);
    config_reader(file, text, config).read();
}

} // namespace sfpu::analysis
