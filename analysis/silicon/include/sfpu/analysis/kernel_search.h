// Kernels of a checkout by the names that tables of measurements give them.
#pragma once

#include <sfpu/analysis/kernel_headers.h>
#include <sfpu/analysis/measurements.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// How a kernel is called that the tables do not describe.
struct found_kernel {
    std::optional<measured_kernel> kernel; ///< its header by its path, init and call as statements
    std::string why_not;                   ///< then: what is missing, or what else the name may mean
};

class kernel_search {
public:
    explicit kernel_search(const std::vector<kernel_header>& headers);

    /// The function whose name has the same words as the row's: "typecast UInt32>Float16_b" is
    /// `_calculate_typecast_uint32_to_fp16b_`. Words of its name that the configuration has may be left out.
    /// Arguments follow from their names and from the configuration: "iterations 8 x 4 faces", "dest_acc
    /// yes", "Int32".
    found_kernel find(const measurement& row) const;

private:
    struct function {
        std::string name;
        std::vector<std::string> words;
        const kernel_header* header;
    };
    std::map<architecture, std::vector<function>> functions_;
    std::vector<kernel_header> headers_;
};

/// Rows of a call and calls of a tile, as a configuration states them; eight and four if it does not.
struct measured_calls {
    unsigned rows = 8, faces = 4;
};
measured_calls calls_of(const std::string& configuration);

} // namespace sfpu::analysis
