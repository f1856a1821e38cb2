// A header of our own for the test of `sfpusim llk`: kernels include it by its path in a checkout.
#pragma once

constexpr float quarter_of_one = 0.25f;
