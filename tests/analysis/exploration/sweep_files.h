// Sweeps and kernels in a folder that goes with the test.
#pragma once

#include <sfpu/analysis/exploration.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace sfpu::analysis {

class sweep_folder {
public:
    sweep_folder() {
        std::string pattern = (std::filesystem::temp_directory_path() / "sweepXXXXXX").string();
        path_ = mkdtemp(pattern.data());
    }
    ~sweep_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    sweep_folder(const sweep_folder&) = delete;
    sweep_folder& operator=(const sweep_folder&) = delete;

    std::string place(const std::string& name) const { return path_ + "/" + name; }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(place(name), std::ios::binary) << text;
        return place(name);
    }
    sweep read(const std::string& text) const { return read_sweep(write("sweep.json", text)); }

private:
    std::string path_;
};

/// x * x + x, stored two cycles later, which is right for the chip's latency of MADs only; Wormhole does not
/// stall.
inline std::string timed_kernel(unsigned rows) {
    return ".arch wh\n.rows " + std::to_string(rows) +
           "\n.init\nsetc16 24, 2\n.loop\nsfpload L0, FP32, ADDR_MOD_3, 0\nsfpmad L0, L0, L0, L1, 0\nsfpnop\n"
           "sfpstore L1, FP32, ADDR_MOD_1, 64\n";
}

} // namespace sfpu::analysis
