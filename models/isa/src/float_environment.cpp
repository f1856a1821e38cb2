#include "semantics/float_environment.h"

namespace sfpu::isa {

void execute_in_usual_float_environment(execute_function semantics, execution& x, const instruction& i) {
    const float_environment::control_word of_the_host = float_environment::read();
    float_environment::write(float_environment::usual);
    semantics(x, i);
    float_environment::write(of_the_host);
}

} // namespace sfpu::isa
