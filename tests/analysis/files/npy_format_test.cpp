// Arrays in NumPy's format: what numpy/lib/format.py describes, and what is none.
#include <sfpu/analysis/npy_format.h>

#include <sfpu/analysis/errors.h>

#include <gtest/gtest.h>

#include <limits>

namespace sfpu::analysis {
namespace {

using shape = std::vector<std::size_t>;

std::string npy(const std::string& header, const std::string& data, char version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += {version, 0, static_cast<char>(header.size()), 0};
    if (version > 1) bytes += {0, 0};
    return bytes + header + data;
}
std::string npy(const std::string& type, const std::string& of_shape, const std::string& data) {
    return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + of_shape + ", }\n", data, 1);
}

std::string refusal_of(const std::string& bytes) {
    try {
        parse_npy(bytes, "x.npy");
    } catch (const user_error& error) {
        return error.what();
    }
    return {};
}

TEST(npy_format, a_header_that_was_written_is_read_again_and_its_data_begin_at_a_multiple_of_64) {
    for (const shape& each : {shape{}, shape{32}, shape{2, 32}, shape{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}) {
        const std::string header = npy_header("<u2", each);
        EXPECT_EQ(header.size() % 64, 0u);
        EXPECT_EQ(header.back(), '\n');
        std::size_t elements = 1;
        for (const std::size_t extent : each) elements *= extent;
        const std::string data(elements > 1000000 ? 0 : 2 * elements, 'x');
        if (data.empty()) continue;
        const std::string bytes = header + data;
        const npy_array read = parse_npy(bytes, "x.npy");
        EXPECT_EQ(read.type, "<u2");
        EXPECT_EQ(read.shape, each);
        EXPECT_FALSE(read.fortran_order);
        EXPECT_EQ(read.data, data);
    }
}

TEST(npy_format, reads_all_versions_any_order_of_keys_and_both_quotes) {
    for (const char version : {1, 2, 3}) {
        const std::string bytes =
            npy(R"({"shape": (2,), "fortran_order": True, 'descr': '|i1'})", "ab", version);
        const npy_array read = parse_npy(bytes, "x.npy");
        EXPECT_EQ(read.type, "|i1");
        EXPECT_TRUE(read.fortran_order);
        EXPECT_EQ(read.shape, shape{2});
        EXPECT_EQ(read.data, "ab");
    }
    EXPECT_EQ(refusal_of(npy("{}", "", 4)), "x.npy: .npy format of version 4, expected 1.0, 2.0 or 3.0");
}

TEST(npy_format, what_is_cut_or_damaged_is_refused) {
    const std::string whole = npy("<f4", "(2,)", "12345678");
    EXPECT_EQ(refusal_of(whole), "");
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(refusal_of(whole.substr(0, size)), "") << size;
    EXPECT_NE(refusal_of(whole + "9"), "");
    EXPECT_NE(refusal_of(whole + "9012"), "");
    EXPECT_NE(refusal_of(npy("<f4", "(2,", "12345678")), "");
    EXPECT_NE(refusal_of(npy("<f4", "(-2,)", "12345678")), "");
    EXPECT_NE(refusal_of(npy("<f4", "2", "12345678")), "");
    EXPECT_NE(refusal_of(npy("{'descr': '<f4', 'shape': (2,), }", "12345678", 1)), "");
    EXPECT_NE(refusal_of(npy("<c8", "(1,)", "12345678")).find("'<c8', expected numbers"), std::string::npos);
}

TEST(npy_format, a_shape_too_large_for_any_memory_does_not_wrap) {
    npy_array array;
    array.shape = {std::size_t{1} << 40, std::size_t{1} << 40};
    EXPECT_EQ(array.elements(), std::numeric_limits<std::size_t>::max());
    array.shape.push_back(0);
    EXPECT_NE(refusal_of(npy("<f4", "(1099511627776, 1099511627776)", "")), "");
}

} // namespace
} // namespace sfpu::analysis
