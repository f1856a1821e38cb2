#!/usr/bin/env python3
"""Mutants find their place by function and expression, and say why when they do not.

usage: mutants_test.py
"""
import os
import tempfile
import unittest

import mutants

SOURCE = """#include <vector>
namespace sfpu {
class box {
public:
    box() : content_(0) { fill(1); }
    int volume() const override { // a + b is "no" volume }
        return a  +
               b; /* a + b */
    }
private:
    struct lid { int area() { return a + c; } };
    template <class T> T weigh(T each) { return each ? a + d : T{'}'}; }
    int content_;
};
int volume() { return a - b; }
int box::volume(int scale) { return scale * a; }
} // namespace sfpu
"""


class Places(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(os.path.join(self.folder, "models"))
        with open(os.path.join(self.folder, "models", "box.cpp"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        self.tree = mutants.sources(self.folder)

    def text_at(self, function, old):
        where = self.tree.place_of(mutants.mutant("rule", "what", function, old, ""))
        return SOURCE[where.begin:where.end]

    def refusal(self, function, old):
        with self.assertRaises(mutants.misfit) as caught:
            self.text_at(function, old)
        return str(caught.exception)

    def test_functions_have_the_names_of_their_scopes(self):
        self.assertEqual([one.name for one in mutants.functions_of(SOURCE)],
                         ["sfpu::box::box", "sfpu::box::volume", "sfpu::box::lid::area", "sfpu::box::weigh", "sfpu::volume",
                          "sfpu::box::volume"])

    def test_blanks_and_comments_do_not_matter(self):
        self.assertEqual(self.text_at("box::volume", "a+b"), "a  +\n               b")
        self.assertEqual(self.text_at("box::weigh", "T { '}' }"), "T{'}'}")

    def test_overloads_are_told_apart_by_what_they_have(self):
        self.assertEqual(self.text_at("box::volume", "scale*a"), "scale * a")

    def test_a_mutant_that_has_no_single_place_says_why(self):
        self.assertIn("no function box::depth has a body", self.refusal("box::depth", "a"))
        self.assertIn("does not have `a + c`; it stands in sfpu::box::lid::area", self.refusal("box::volume", "a + c"))
        self.assertIn("has `return` 3 times", self.refusal("volume", "return"))
        self.assertIn("models/box.cpp:15", self.refusal("sfpu::volume", "a + b"))

    def test_a_word_is_no_part_of_a_longer_one(self):
        self.assertIn("does not have", self.refusal("box::volume", "cal"))

    def test_a_function_gets_a_body_for_each_of_its_mutants(self):
        ones = [mutants.mutant("r", "minus", "box::volume", "a + b", "a - b"), mutants.mutant("r", "none", "box::volume", "a +", "")]
        text = mutants.switched(SOURCE, [(7 + i, one, self.tree.place_of(one)) for i, one in enumerate(ones)])
        flat = " ".join(text.split())
        self.assertIn("if (mutations::has(7)) { // r: minus", flat)
        self.assertIn("return a - b; /* a + b */ } else if (mutations::has(8)) { // r: none", flat)
        self.assertIn("return b; /* a + b */ } else {", flat)

    def test_a_table_that_is_wrong_is_refused_with_its_line(self):
        path = os.path.join(self.folder, "table.txt")
        for text, part in (("T1: x\n    f\n    + y\n", "table.txt:1: found no line that begins with -"),
                           ("T1 x\n    f\n    - y\n", "found 'T1 x'"), ("    f\n", "before the first mutant"),
                           ("# c\nT1: x\n    f\n    - y\n    - z\n", "table.txt:2: found '- z'")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(mutants.misfit) as caught:
                list(mutants.read_table(path))
            self.assertIn(part, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
