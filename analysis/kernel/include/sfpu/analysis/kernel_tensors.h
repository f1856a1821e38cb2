// The declared inputs and outputs of a kernel as files, as text, and as expectations.
#pragma once

#include <sfpu/analysis/kernel_file.h>
#include <sfpu/analysis/output_file.h>

#include <sfpu/isa/data_type.h>
#include <sfpu/platform/program_runner.h>

#include <cstdint>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// As the command line has them.
struct tensor_arguments {
    std::vector<std::string> inputs, outputs, expected; ///< "NAME=FILE"
    std::vector<std::string> printed; ///< "NAME", "NAME[0:4]", "NAME[3, 0:8]": rows and lanes
    std::uint64_t ulp = 0;            ///< how far a value may be from what is expected
    /// A value that is further away is as expected, too, if by no more than `atol` plus `rtol` times the
    /// magnitude of what is expected.
    double rtol = 0, atol = 0;

    bool any() const { return !inputs.empty() || !outputs.empty() || !expected.empty() || !printed.empty(); }
};

/// What a run does with them. Everything that can be wrong is found before the run.
class kernel_tensors {
public:
    /// Reads inputs and expectations and writes the inputs to the Dst of the request, on top of what is
    /// there. `kernel` must outlive this. Throws user_error.
    kernel_tensors(kernel_run& kernel, const tensor_arguments& arguments);

    /// Writes the outputs of a run. Throws user_error if a file cannot be written.
    void write(const platform::dst_image& after);
    /// "waveform F": names of what was written.
    const std::vector<std::string>& written() const { return written_; }
    /// What was to be printed, in lines.
    std::string text(const platform::dst_image& after) const;
    /// What is wrong with the outputs, one line each: values that are not those expected, the first of them
    /// with its inputs, values that do not fit into the type of their file, and outputs that were asked for
    /// and are among `unstored`: names of those that the kernel never stores.
    std::vector<std::string> complaints(const platform::dst_image& after,
                                        const std::vector<std::string>& unstored = {}) const;
    /// "y is as in y.npy"; empty if nothing was expected or if something is wrong.
    std::string agreement(const platform::dst_image& after) const;

private:
    struct named_file {
        const isa::tensor* tensor = nullptr;
        std::string file;
    };
    struct output {
        const isa::tensor* tensor = nullptr;
        output_file file;
    };
    struct expectation {
        named_file source;
        std::vector<std::uint32_t> cells;
    };
    struct excerpt {
        const isa::tensor* tensor = nullptr;
        bool before = false; ///< an input, as it was
        unsigned first_row = 0, rows = 0, first_lane = 0, lanes = 0;
    };

    named_file parse_file(const char* option, const std::string& argument,
                          const std::vector<isa::tensor>& tensors, const char* directive) const;
    excerpt parse_excerpt(const std::string& argument) const;
    bool is_as_expected(isa::data_type type, std::uint32_t got, std::uint32_t wanted) const;
    std::string tolerance_text() const;
    std::string complaint_about(const expectation& wanted, const platform::dst_image& after) const;

    const kernel_run& kernel_;
    platform::dst_image before_{};
    std::vector<output> outputs_;
    std::vector<expectation> expected_;
    std::vector<excerpt> printed_;
    std::uint64_t ulp_;
    double rtol_, atol_;
    std::vector<std::string> written_;
};

} // namespace sfpu::analysis
