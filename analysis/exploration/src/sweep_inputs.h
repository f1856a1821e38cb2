// What the points of a sweep depend on: files as they are when it begins, machines, this build.
#pragma once

#include <sfpu/analysis/point.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace sfpu::analysis {

/// A file that is read once, of a kernel as assembly or words, so that all points see the same.
struct file_content {
    std::string name, text;
    std::string fault; ///< why it could not be read; empty if it could

    /// Throws user_error with the fault if there is one.
    const std::string& expect() const;
};

class sweep_inputs {
public:
    /// Reads all files of the sweep, which must outlive this, and translates kernels to assembly.
    sweep_inputs(const sweep& of, const point_tools& tools);

    const sweep& of() const { return of_; }
    const sweep_kernel& kernel(const point_id& id) const { return of_.kernels[id.kernel]; }
    const file_content& macro(const point_id& id) const { return macro_[id.kernel]; }
    const file_content& plain(const point_id& id) const { return plain_[id.kernel]; }
    /// What runs if the words are kept: the macro form, the plain form if there is none.
    const file_content& kept(const point_id& id) const {
        return kernel(id).macro.empty() ? plain(id) : macro(id);
    }
    std::optional<std::uint64_t> seed(const point_id& id) const { return of_.seeds_of(kernel(id))[id.seed]; }

    /// A schedule of another machine of the sweep that the search of this run begins with; empty without one.
    const std::string& known(const point_id& id) const;
    void set_known(const point_id& id, std::string text);

    /// Everything that the result of a point depends on, as text.
    std::string text_of(const point_id& id) const;

private:
    const sweep& of_;
    bool pictures_;
    std::vector<file_content> macro_, plain_, firmware_;
    std::map<std::array<std::size_t, 3>, std::string> known_;
};

} // namespace sfpu::analysis
