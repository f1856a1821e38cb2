#include <sfpu/views/bench.h>

#include <sfpu/views/json_text.h>

#include <fmt/format.h>

namespace sfpu::views {

std::string to_json(const analysis::bench_answer& answer) {
    const analysis::speed_measurement& m = answer.measured;
    std::string text = "{\"kernel\":";
    append_json_string(text, answer.kernel);
    text += fmt::format(",\"arch\":\"{}\",\"vector_target\":", short_name(answer.arch));
    append_json_string(text, answer.vector_target);
    if (m.hart_instructions) text += fmt::format(",\"hart_instructions\":{}", m.hart_instructions);
    return text + fmt::format(",\"instructions\":{},\"cycles\":{},\"seconds\":{:.9f},\"minstr_per_s\":{:.6f},"
                              "\"mcycles_per_s\":{:.6f},\"executed\":{},\"mexecuted_per_s\":{:.6f}}}\n",
                              m.instructions, m.cycles, m.seconds, m.millions_a_second(m.instructions),
                              m.millions_a_second(m.cycles), m.executed, m.millions_a_second(m.executed));
}

std::string to_text(const analysis::bench_answer& answer) {
    const analysis::speed_measurement& m = answer.measured;
    return fmt::format(
        "{}: {} instructions issued, {} executed, {} cycles in {:.3f} s of CPU time\n"
        "{:.2f} million issued, {:.2f} million executed, {:.2f} million cycles a second ({})\n",
        answer.kernel, m.instructions, m.executed, m.cycles, m.seconds, m.millions_a_second(m.instructions),
        m.millions_a_second(m.executed), m.millions_a_second(m.cycles), answer.vector_target);
}

} // namespace sfpu::views
