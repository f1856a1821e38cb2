// A row as a graph, and rules on it: where each applies, and where its condition keeps it from applying.
#include <sfpu/analysis/rewriting.h>

#include <gtest/gtest.h>
