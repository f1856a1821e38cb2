// Values at which arithmetic goes wrong, as bits of a register. The one list of them: lint, equiv and typed
// data use it.
#pragma once

#include <cstdint>
#include <vector>

namespace sfpu::isa::extreme {

/// Zeros and the smallest and largest subnormal and normal numbers of both signs, infinities, quiet and
/// signalling NaNs, one, and two to the 31st, which integers do not reach.
inline const std::vector<std::uint32_t> fp32{0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff,
                                             0x807fffff, 0x00800000, 0x80800000, 0x7f7fffff, 0xff7fffff,
                                             0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001,
                                             0xffffffff, 0x3f800000, 0xbf800000, 0x4f000000, 0xcf000000};
/// Two's complement: the ends of 32, 16 and 8 bits, and what does not fit them any more.
inline const std::vector<std::uint32_t> integer{0x00000000, 0x00000001, 0xffffffff, 0x7fffffff, 0x80000000,
                                                0x80000001, 0x00007fff, 0x00008000, 0xffff8000, 0x0000ffff,
                                                0x00010000, 0x0000007f, 0x00000080, 0xffffff80};
/// Sign and magnitude: minus zero, and the ends of 32, 16, 10 and 8 bits.
inline const std::vector<std::uint32_t> magnitude{0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x7fffffff,
                                                  0xffffffff, 0x00007fff, 0x80007fff, 0x0000007f, 0x8000007f,
                                                  0x000000ff, 0x800000ff, 0x000003ff, 0x800003ff};
/// The ends of FP16 as FP32: subnormal, normal, largest, too large.
inline const std::vector<std::uint32_t> fp16{0x00000000, 0x80000000, 0x33800000, 0xb3800000, 0x387fc000,
                                             0x38800000, 0xb8800000, 0x477fe000, 0xc77fe000, 0x7f800000,
                                             0xff800000, 0x3f800000, 0xbf800000};

/// FP32 at and around ties: of rounding to BF16 and FP16 with even and odd last bits, to integers, and the
/// ends of integers.
inline const std::vector<std::uint32_t> fp32_ties{
    0x3f808000, 0x3f807fff, 0x3f808001, 0x3f818000, 0xbf818000, 0x3f801000, 0x3f800fff, 0x3f801001,
    0x3f803000, 0x7f7f7fff, 0x7f7f8000, 0x477fefff, 0x477ff000, 0x3f000000, 0xbf000000, 0x3fc00000,
    0xbfc00000, 0x40200000, 0x3effffff, 0x42ff0000, 0x437f8000, 0x46fffe00, 0x477fff80, 0x4affffff,
    0x4b000000, 0x4b7fffff, 0x4b800000, 0x4effffff, 0x4f7fffff, 0x4f800000, 0x3f7fffff, 0x3f800001};
/// Powers of two as FP32 whose exponents matter somewhere: 2^-126, 2^-24, 2^-23, 2^-14, 2^-1, 2, 4, 2^15,
/// 2^16, 2^23, 2^127, of both signs.
inline const std::vector<std::uint32_t> fp32_powers{0x00800000, 0x33800000, 0x34000000, 0x38800000,
                                                    0x3f000000, 0x40000000, 0xc0000000, 0x40800000,
                                                    0x47000000, 0x47800000, 0x4b000000, 0x7f000000};
/// Two's complement: about the 24 bits of an FP32 with ties, about the 23 bits of a multiplication, small
/// ones.
inline const std::vector<std::uint32_t> integer_ties{
    0x00000002, 0x00000003, 0xfffffffe, 0xfffffffd, 0x7ffffffe, 0x7fffff80, 0x7fffffbf,
    0x7fffffc0, 0x00000100, 0x007fffff, 0x00800000, 0x00ffffff, 0x01000000, 0x01000001,
    0x01000003, 0xff000001, 0xfeffffff, 0xfefffffd, 0x02000002, 0x02000006, 0x40000000,
    0xc0000000, 0x00fe0000, 0xffff7fff, 0xffff0000, 0x55555555, 0xaaaaaaaa};

} // namespace sfpu::isa::extreme
