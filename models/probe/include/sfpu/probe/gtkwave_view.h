// The view with which GTKWave opens a waveform of vcd_writer.
#pragma once

#include <sfpu/probe/trace_options.h>

#include <string>
#include <vector>

namespace sfpu::probe {

/// The text of a GTKWave save file for the waveform `dump_name`, a file in the same folder. It shows the
/// cycles from `first` on, as many as are easily read, and the values of the lanes that the waveform has. The
/// same arguments give the same text.
std::string gtkwave_view(const std::string& dump_name, const trace_options& options,
                         const std::vector<unsigned>& value_lanes, cycles first);

} // namespace sfpu::probe
