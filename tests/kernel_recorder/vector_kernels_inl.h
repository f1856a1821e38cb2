// Kernels of our own that use every feature of the vector types, included once for each architecture.
#include "vector_kernels.h"

#include "lane_machine.h"

#include <sfpu/kernel_recorder/kernel.h>

namespace sfpu::test {
namespace {

using namespace sfpi;

void arithmetic() {
    for (int d = 0; d < 4; ++d) {
        vFloat x = dst_reg[0], y = dst_reg[32];
        vFloat sum = x + y, product = x * y;
        dst_reg[0] = product * 2.5f - sum;
        dst_reg[1] = sum - product * y;
        dst_reg[2] = -x + 1.0f;
        vFloat z = x;
        z += y;
        z *= 0.3333f;
        z -= x;
        ++z;
        z--;
        dst_reg[3] = 3 - z;
        dst_reg[4] = dst_reg[5] * dst_reg[6];
        dst_reg[5] = dst_reg[5] + 0.75f;
        dst_reg[6] = -dst_reg[6];
        dst_reg += 7;
    }
}

void integers() {
    vInt a = dst_reg[0], b = dst_reg[8];
    dst_reg[1] = a + b;
    dst_reg[2] = a - b;
    dst_reg[3] = a - 5;
    dst_reg[4] = 70000 - b;
    dst_reg[5] = (a & b) | (a ^ 0x12345);
    dst_reg[6] = ~a & 255;
    vUInt u = dst_reg[9];
    dst_reg[7] = (u >> 3) + (u << 7);
    dst_reg[10] = u >> vUInt(4);
    vUInt amount = u & 15u;
    dst_reg[11] = u << amount;
    dst_reg[12] = shft(u, vInt(2) - vInt(amount));
    a <<= 4;
    b += a;
    b |= 1;
    dst_reg[13] = b;
    dst_reg[14] = -a;
    ++a;
    a--;
    dst_reg[15] = a;
#ifdef ARCH_BLACKHOLE
    dst_reg[16] = b >> 5;
    dst_reg[17] = shft(b, -3, ShiftMode::Logical);
#endif
}

void fields() {
    vFloat x = dst_reg[0], y = dst_reg[1];
    vInt exponent = exexp(x);
    dst_reg[2] = setexp(y, exponent);
    dst_reg[3] = setexp(y, 130);
    dst_reg[4] = setexp(x, exexp_nodebias(y) + 1);
    dst_reg[5] = exman8(x);
    dst_reg[6] = exman9(y);
    dst_reg[7] = setman(x, exman9(y));
    dst_reg[8] = setman(x, 0x123);
    dst_reg[9] = setman(x, 0x7fffff);
    dst_reg[10] = setsgn(x, 1);
    dst_reg[11] = setsgn(x, y);
    dst_reg[12] = abs(x);
    dst_reg[13] = addexp(x, -3);
    dst_reg[14] = lz(reinterpret<vInt>(x));
    dst_reg[15] = lz_nosgn(reinterpret<vInt>(x));
    dst_reg[16] = copyexp(x, y);
    dst_reg[17] = ldexp(x, vInt(2));
    dst_reg[18] = abs(reinterpret<vInt>(x));
    dst_reg[19] = exsgn(x);
    vUInt magnitude = reinterpret<vUInt>(y);
    v_if(x < 0.0f) { magnitude = setsgn(magnitude - 1, 0); }
    v_endif;
    dst_reg[20] = magnitude;
}

void comparisons() {
    vFloat x = dst_reg[0], y = dst_reg[1];
    vInt found = 0;
    v_if(x < y) { found |= 1; }
    v_endif;
    v_if(x > y) { found |= 2; }
    v_endif;
    v_if(x <= y) { found |= 4; }
    v_endif;
    v_if(x >= y) { found |= 8; }
    v_endif;
    v_if(x == y) { found |= 16; }
    v_endif;
    v_if(x != y) { found |= 32; }
    v_endif;
    v_if(x < 1.5f) { found |= 64; }
    v_endif;
    v_if(x > 0.0f) { found |= 128; }
    v_endif;
    v_if(x <= -2) { found |= 256; }
    v_endif;
    v_if(0.5f >= x) { found |= 512; }
    v_endif;
    vInt a = dst_reg[2], b = dst_reg[3];
    v_if(a < b) { found |= 1024; }
    v_endif;
    v_if(a > 100) { found |= 2048; }
    v_endif;
    v_if(a == b) { found |= 4096; }
    v_endif;
    v_if(a <= 0) { found += 8192; }
    v_endif;
    v_if(b) { found += 16384; }
    v_endif;
    vUInt u = dst_reg[3];
    v_if(u >= 70000u) { found += 32768; }
    v_endif;
    v_if(is_nan(x) || is_inf(y)) { found += 65536; }
    v_endif;
    dst_reg[4] = found;
}

void conditions() {
    for (int d = 0; d < 2; ++d) {
        vFloat x = dst_reg[0], y = dst_reg[1], r = 0.0f;
        v_if(x < 0.0f && y < 0.0f) { r = 1.0f; }
        v_elseif(x < 0.0f || y < 0.0f) { r = 2.0f; }
        v_elseif(!(x > 4.0f) && (y > 4.0f || x == y)) { r = 3.0f + x; }
        v_else { r = -r - y; }
        v_endif;
        dst_reg[2] = r;
        v_if((x > 0.0f && y > 0.0f) || (x < -1.0f && !(y < -1.0f))) {
            r = x * y;
            v_if(r > 10.0f) {
                r = 10.0f;
                v_if(y > x) { y = r; }
                v_else { y = x; }
                v_endif;
            }
            v_elseif(r < -10.0f) { r = -10.0f; }
            v_endif;
            r += y;
        }
        v_endif;
        dst_reg[3] = r;
        vInt holds = x >= y;
        dst_reg[4] = holds;
        v_block {
            v_and(x > -8.0f);
            v_and(x < 8.0f || y < 8.0f);
            r = r + 1.0f;
            v_and(y > 0.25f);
            dst_reg[5] = r;
        }
        v_endblock;
        dst_reg[6] = r;
        dst_reg += 7;
    }
}

/// A masked assignment keeps the other lanes, whatever else needs the old value.
void old_lanes() {
    vFloat x = dst_reg[0], y = dst_reg[1];
    vFloat kept = x;
    v_if(y > 0.0f) { x = y - x; }
    v_endif;
    dst_reg[2] = x;
    dst_reg[3] = kept;
    vFloat other;
    v_if(kept < 1.0f) { other = kept * 2.0f; }
    v_else { other = kept; }
    v_endif;
    dst_reg[4] = other;
    vFloat constant = 0.7f;
    v_if(y < x) { constant = x; }
    v_endif;
    dst_reg[5] = constant * constant;
    vInt n = 3;
    v_if(x < 0.0f) {
        vInt m = exexp(x);
        n = m - n;
        v_if(n > 2) { n = n - m; }
        v_endif;
    }
    v_endif;
    dst_reg[6] = n;
    vFloat a = x, b = y;
    v_if(a > 2.0f) { vec_min_max(a, b); }
    v_endif;
    dst_reg[7] = a;
    dst_reg[8] = b;
    dst_reg[9] = x;
}

void conversions() {
    vFloat x = dst_reg[0];
    vInt n = dst_reg[1];
    dst_reg[2] = float_to_fp16a(x, 0);
    dst_reg[3] = float_to_fp16b(x, 1);
    dst_reg[4] = float_to_uint8(x, 0);
    dst_reg[5] = float_to_int8(x, 1);
    dst_reg[6] = float_to_uint16(x);
    dst_reg[7] = float_to_int16(x, RoundMode::Nearest);
    dst_reg[8] = int32_to_float(n, 0);
    dst_reg[9] = int32_to_float(n, 1);
    dst_reg[10] = int32_to_uint8(n, 4, 0);
    dst_reg[11] = int32_to_int8(n, vUInt(dst_reg[12]), 0);
    dst_reg[13] = convert<vFloat>(n, RoundMode::Nearest);
    dst_reg[14] = smag_to_int(int_to_smag(n));
    dst_reg[15] = round(x).first;
}

void tables() {
    const vUInt l0 = l_reg[LRegs::LReg0], l1 = l_reg[LRegs::LReg1], l2 = l_reg[LRegs::LReg2];
    const vUInt l4 = l_reg[LRegs::LReg4], l5 = l_reg[LRegs::LReg5], l6 = l_reg[LRegs::LReg6];
    for (int d = 0; d < 3; ++d) {
        vFloat x = dst_reg[0];
        dst_reg[1] = lut(x, l0, l1, l2);
        dst_reg[3] = lut2(x, l0, l1, l2, l4, l5, l6, 1) + 0.5f;
        dst_reg[4] = lut2_sign(x, l0, l1, l2, l4, l5, l6, 2);
        dst_reg += 5;
    }
    l_reg[LRegs::LReg0] = l0;
    l_reg[LRegs::LReg1] = l1;
    l_reg[LRegs::LReg2] = l2;
    l_reg[LRegs::LReg4] = l4;
    l_reg[LRegs::LReg5] = l5;
    l_reg[LRegs::LReg6] = l6;
}

void exchanges() {
    vFloat a = dst_reg[0], b = dst_reg[1], c = dst_reg[2], d = dst_reg[3];
    vec_swap(a, b);
    vec_min_max(b, c);
    dst_reg[4] = a * d;
    subvec_transp(a, b, c, d);
    dst_reg[0] = a;
    dst_reg[1] = b;
    dst_reg[2] = c;
    dst_reg[3] = d;
    vFloat moved = subvec_shflror1(a);
    dst_reg[5] = moved;
    vFloat shifted = subvec_shflshr1(b);
    dst_reg[6] = shifted + max(c, d) + min(a, 1.0f);
    dst_reg[7] = clamp(a, -1.0f, 1.0f);
}

void constants() {
    vConstFloatPrgm0 = 1.4426950408889634f;
    vConstIntPrgm1 = 0x4b00;
    vConstFloatPrgm2 = vFloat(dst_reg[0]);
    vFloat x = dst_reg[1];
    dst_reg[2] = x * vConstFloatPrgm0 + vConst1;
    dst_reg[3] = vInt(vConstIntPrgm1) + 1;
    dst_reg[4] = x - vConstFloatPrgm2;
    dst_reg[5] = vConst0p8373 * x;
    dst_reg[6] = vConstNeg1;
    dst_reg[7] = vConst0;
    dst_reg[8] = vInt(vConstTileId);
    dst_reg[9] = 0x1234567;
    vFloat all[] = {sFloat16a(0x3c01), sFloat16b(0.1f), 1e-20f, -7.0f};
    for (int i = 0; i < 4; ++i) dst_reg[10 + i] = all[i];
    dst_reg[14] = vInt(-3);
    dst_reg[16] = vInt(0x4340u);
    const unsigned five = 5;
    vInt copied = five;
    dst_reg[17] = copied;
    dst_reg[18] = vUInt(five);
    dst_reg[19] = vMag(five);
    dst_reg[20] = vFloat(five);
    dst_reg[15] = vInt(0xfff0);
}

void layouts() {
    vFloat x = dst_reg[0].mode<DataLayout::F16b>();
    dst_reg[1].mode<DataLayout::F32>() = x;
    dst_reg[2].mode<DataLayout::F16a>() = x;
    vUInt u = dst_reg[3].mode<DataLayout::U16>();
    dst_reg[4].mode<DataLayout::LO16>() = u;
    dst_reg[5].mode<DataLayout::HI16>() = u;
    vInt n = dst_reg[6].mode<DataLayout::SM32>();
    dst_reg[7].mode<DataLayout::SM32>() = n + 1;
    vSMag s = dst_reg[8];
    dst_reg[9] = s;
    v_if(s == -5) { dst_reg[10] = vInt(1); }
    v_endif;
}

/// The kernel's own words beside vector types: what they leave in registers stays.
void own_words() {
    TTI_SFPLOADI(5, 0, 0x4000);
    for (int d = 0; d < 3; ++d) {
        vFloat x = dst_reg[0];
        vFloat y = x * x + 0.3f;
        TTI_SFPLOAD(4, 0, SFPLOAD_ADDR_MODE_NOINC, 2);
        TTI_SFPMUL(4, 5, 9, 4, 0);
        TTI_SFPNOP;
        TTI_SFPSTORE(4, 0, SFPLOAD_ADDR_MODE_NOINC, 4);
        vFloat two = l_reg[LRegs::LReg5];
        dst_reg[3] = y * two + x;
        dst_reg++;
    }
    vFloat last = l_reg[LRegs::LReg4];
    dst_reg[5] = last;
}

/// The kernel's own words in the register in which a constant has just been.
void own_words_over_constants() {
    for (int d = 0; d < 3; ++d) {
        vConstIntPrgm0 = 0x3f80;
        TTI_SFPLOAD(0, 0, SFPLOAD_ADDR_MODE_NOINC, 0);
        TTI_SFPSTORE(0, 0, SFPLOAD_ADDR_MODE_NOINC, 2);
        vConstIntPrgm0 = 0x3f80;
        dst_reg[2] = vInt(vConstIntPrgm0);
        dst_reg[3] = vFloat(dst_reg[4]) * 0.3f;
        TTI_SFPLOAD(7, 0, SFPLOAD_ADDR_MODE_NOINC, 10);
        TTI_SFPLOAD(6, 0, SFPLOAD_ADDR_MODE_NOINC, 12);
        TTI_SFPSTORE(7, 0, SFPLOAD_ADDR_MODE_NOINC, 14);
        TTI_SFPSTORE(6, 0, SFPLOAD_ADDR_MODE_NOINC, 16);
        dst_reg++;
    }
}

/// Set-up words in L0 between assignments to constants, which need L0 too.
void set_up() {
    vConstFloatPrgm2 = 2.5f;
    TTI_SFPCAST(0, 12, 0); // a template, through the backdoor
    TTI_SFPLOADI(0, SFPLOADI_MOD0_LOWER, 0x44);
    TTI_SFPLOADI(0, SFPLOADI_MOD0_UPPER, 0x4b00);
    TTI_SFPCONFIG(0, 4, 0);
    vConstFloatPrgm0 = 1.5f;
    TTI_SFPLOADI(0, SFPLOADI_MOD0_UPPER, 0x4b01);
    TTI_SFPLOADI(0, SFPLOADI_MOD0_LOWER, 0x45);
    TTI_SFPCONFIG(0, 5, 0);
    vConstIntPrgm1 = 7;
    dst_reg[1] = vFloat(dst_reg[0]) * vConstFloatPrgm0;
    dst_reg[2] = vInt(vConstIntPrgm1);
}

void builtins() {
    vFloat x = __builtin_rvtt_sfpload(0, SFPLOAD_MOD0_FMT_SRCB, SFPLOAD_ADDR_MODE_NOINC);
    vFloat bias = __builtin_rvtt_sfpxloadi(0x4b40, 0);
    vFloat one = __builtin_rvtt_sfpreadlreg(vConst1.get());
    vFloat y = __builtin_rvtt_sfpmad(x.get(), one.get(), bias.get(), SFPMAD_MOD1_OFFSET_NONE);
    __builtin_rvtt_sfpstore(y.get(), 2, SFPSTORE_MOD0_FMT_SRCB, SFPSTORE_ADDR_MODE_NOINC);
#ifdef ARCH_BLACKHOLE
    vInt a = dst_reg[2], b = dst_reg[3];
    dst_reg[4] = vInt(__builtin_rvtt_sfpmul24(a.get(), b.get(), 0));
    dst_reg[5] = fractional_mul(vUInt(a), vUInt(b), FractionalHalf::High);
    dst_reg[6] = approx_recip(x);
    dst_reg[7] = approx_exp(x);
    dst_reg[8] = approx_recip(x, RecipMode::IfNegative);
    dst_reg[9] = sfpi::rand();
#endif
}

void polynomials() {
    for (int d = 0; d < 8; ++d) {
        vFloat x = dst_reg[0];
        dst_reg[0] = polynomial(x, 1.0f, 0.5f, 0.1666f, 0.04167f, 0.00833f, 0.00139f);
        dst_reg++;
    }
}

/// Names of newer and of older libraries that no other kernel here uses.
void further_names() {
    vFloat x = dst_reg[0];
    const vInt n = dst_reg[1];
    const vUInt u = dst_reg[2];
    const vMag magnitude = abs(n);
    const vInt integer = abs(n);
    vMag part = (magnitude >> 3) & 0xffu;
    part = part & 0x3f & magnitude;
    dst_reg[3] = integer + part;
    const vInt negative = setsgn(abs(n), 1);
    dst_reg[4] = negative;
    const vSMag signed_magnitude = dst_reg[5];
    v_if(signed_magnitude == 5u || signed_magnitude != 0x80000001u) { x = x + 1.0f; }
    v_endif;
    dst_reg[6] = x * vFloat16b(sFloat16b(2.0f)) + vFloat16a(sFloat16a(0x3c00));
    dst_reg[7] = shft(u, n);
    dst_reg[8] = u >> u;
}
void further_builtins() {
    const __rvtt_vec_t x = vFloat(dst_reg[0]).get(), n = vInt(dst_reg[1]).get();
    dst_reg[2] = vFloat(__builtin_rvtt_sfpsetexp_i(x, 127, 0)) + vFloat(__builtin_rvtt_sfpsetexp_v(x, n, 0));
    dst_reg[3] =
        vFloat(__builtin_rvtt_sfpsetman_i(x, 0x123456, 0)) * vFloat(__builtin_rvtt_sfpsetman_v(x, n, 0));
    dst_reg[4] = vFloat(__builtin_rvtt_sfpsetsgn_i(x, 1, 0)) - vFloat(__builtin_rvtt_sfpsetsgn_v(x, n, 0));
    dst_reg[5] = vFloat(__builtin_rvtt_sfpdivp2(x, 3, 1));
    dst_reg[6] = vUInt(__builtin_rvtt_sfpshft_i(n, -3, 0)) + vUInt(__builtin_rvtt_sfpshft_v(n, n, 0));
    dst_reg[7] = vFloat(__builtin_rvtt_sfpstochrnd_i(x, 0, 1, 0));
    dst_reg[8] = vUInt(__builtin_rvtt_sfpstochrnd_v(n, n, 4, 0));
    const auto both = __builtin_rvtt_sfpswap(x, n, 1);
    dst_reg[9] = vInt(__builtin_rvtt_sfpselect2(both, 0));
    dst_reg[10] = vInt(__builtin_rvtt_sfpselect2(both, 1));
    dst_reg[11] = vFloat(__builtin_rvtt_sfplut(n, n, n, x, 4));
    const __rvtt_vec_t table = vUInt(0x3b7a4d1f).get();
    dst_reg[12] = vFloat(__builtin_rvtt_sfplutfp32_6r(table, table, table, table, table, table, x, 4));
    dst_reg[13] = vFloat(__builtin_rvtt_sfpshft2_subvec_shfl1(x, SFPSHFT2_MOD1_SUBVEC_SHFLROR1));
    __builtin_rvtt_sfpwriteconfig_v(x, 12);
    dst_reg[14] = vConstIntPrgm0 + 1;
    __builtin_rvtt_ttincrwc(0, 2, 0, 0);
    const auto four = __builtin_rvtt_sfptransp(x, n, x, n);
    dst_reg[15] = vInt(__builtin_rvtt_sfpselect4(four, 3));
}

// What comes out is held against numbers, in the order of the slices.
void bounds() {
    const vUInt u = dst_reg[0];
    dst_reg[16] = min(u, 1000u);
    dst_reg[17] = min(u, 0x90000000u);
    dst_reg[18] = max(u, 1000u);
    dst_reg[19] = max(u, 0x90000000u);
    dst_reg[20] = clamp(u, 1000u, 0x90000000u);
    const vSMag a = dst_reg[0], b = dst_reg[1];
    for (unsigned rows = 0; rows < 16; ++rows) {
        const auto both = min_max(a, b, rows);
        dst_reg[static_cast<int>(32 + 2 * rows)] = both.first;
        dst_reg[static_cast<int>(33 + 2 * rows)] = both.second;
    }
    dst_reg[21] = min_max(a, b, 0xff00ff00u).first;
}

// --- words of the kernel's own between vector types --------------------------------------------------------

/// A constant that was loaded in some lanes is not there in others, and a word that writes some lanes of a
/// register leaves the rest.
void own_lanes() {
    vFloat x = dst_reg[0];
    TTI_SFPLOADI(5, 0, 0x4000);
    TTI_SFPLOAD(6, 0, SFPLOAD_ADDR_MODE_NOINC, 6);
    TTI_SFPSETCC(0, 6, 0, SFPSETCC_MOD1_LREG_LT0);
    TTI_SFPLOADI(5, 0, 0x4040);
    dst_reg[1] = x * 3.3f;
    TTI_SFPENCC(3, 0, 0, 10);
    vFloat y = dst_reg[2];
    dst_reg[4] = y * 3.3f + x * 1.7f;
    dst_reg[5] = (y + x) * (y * 1.7f);
    TTI_SFPSTORE(5, 0, SFPLOAD_ADDR_MODE_NOINC, 12);
}

/// Constants that were in registers before, and a variable, while the kernel's own words and a REPLAY take
/// these registers.
void own_words_behind_replays() {
    vFloat x = dst_reg[0];
    dst_reg[0] = x * 3.3f + 2.2f;
    dst_reg[1] = dst_reg[2] * 3.3f;
    lltt::record(0, 7);
    for (unsigned r = 1; r < 8; ++r) TT_SFPLOADI(r, 0, 0x4040 + r);
    for (unsigned r = 0; r < 7; ++r) TT_SFPLOADI(r, 0, 0x4140 + r);
    vFloat y = dst_reg[3];
    dst_reg[4] = y * 3.3f + 2.2f;
    lltt::replay(0, 7);
    dst_reg[5] = dst_reg[6] * 3.3f + 2.2f;
}

/// SFPCONFIG takes its value from L0, and tables from L0 to L2, while the kernel's own words keep something
/// there.
void own_register_in_use() {
    vFloat x = dst_reg[0], y = dst_reg[1];
    TTI_SFPLOADI(0, 0, 0x4123);
    TTI_SFPLOADI(2, 0, 0x4124);
    vConstFloatPrgm1 = 2.75f;
    vFloat z = lut(x, vUInt(0x3b7a4d1f), vUInt(0x12345678), vUInt(0x00ff5511));
    dst_reg[2] = z * y + vConstFloatPrgm1;
    v_if(x < y) {
        TTI_SFPLOADI(0, 0, 0x4050);
        TTI_SFPSTORE(0, 0, SFPLOAD_ADDR_MODE_NOINC, 14);
    }
    v_endif;
    TTI_SFPSTORE(2, 0, SFPLOAD_ADDR_MODE_NOINC, 16);
    TTI_SFPSTORE(0, 0, SFPLOAD_ADDR_MODE_NOINC, 18);
}

// --- random kernels ----------------------------------------------------------------------------------------

class random_statements {
public:
    explicit random_statements(std::uint64_t seed)
        : random_(seed), own_words_(has_own_words(seed)), variables_(float_variables(seed)) {
        for (unsigned i = 0; i < variables_; ++i) floats_[i] = dst_reg[static_cast<int>(i == 0 ? 0 : i + 1)];
        number_ = dst_reg[1];
    }
    void run(unsigned count, unsigned depth = 0) {
        for (unsigned i = 0; i < count; ++i) statement(depth);
        if (depth > 0) return;
        for (unsigned i = 0; i < variables_; ++i) dst_reg[static_cast<int>(8 + i)] = floats_[i];
        dst_reg[16] = number_;
    }

private:
    vFloat& some() { return floats_[random_.below(variables_)]; }
    float literal() {
        static constexpr float choices[] = {0.0f, 1.0f, -1.0f, 0.5f, 2.0f, 3.1415927f, -100.25f, 1e20f};
        return choices[random_.below(8)];
    }
    vFloat expression() {
        const vFloat a = some();
        switch (random_.below(10)) {
        case 0: return a + some();
        case 1: return a - some();
        case 2: return a * some();
        case 3: return a * some() + literal();
        case 4: return literal() - a;
        case 5: return -a;
        case 6: return setsgn(a, static_cast<int>(random_.below(2)));
        case 7: return setexp(a, number_);
        case 8: return a;
        default: return literal();
        }
    }
    vInt integer() {
        switch (random_.below(6)) {
        case 0: return number_ + static_cast<int>(random_.below(5000));
        case 1: return exexp(some());
        case 2: return number_ & static_cast<int>(random_.next() >> 1);
        case 3: return reinterpret<vInt>(some());
        case 4: return exexp(some()) - number_;
        default: return static_cast<int>(random_.below(100));
        }
    }
    vBool comparison() {
        const vFloat a = some();
        switch (random_.below(8)) {
        case 0: return a < literal();
        case 1: return a >= floats_[0];
        case 2: return a > literal();
        case 3: return a <= floats_[1];
        case 4: return number_ < static_cast<int>(random_.below(1000));
        case 5: return number_ != 0;
        case 6: return a == literal();
        default: return number_ > 127;
        }
    }
    vBool holds(unsigned depth) {
        if (depth > 1) return comparison();
        switch (random_.below(5)) {
        case 0: {
            const vBool a = holds(depth + 1);
            return a && holds(depth + 1);
        }
        case 1: {
            const vBool a = holds(depth + 1);
            return a || holds(depth + 1);
        }
        case 2: return !holds(depth + 1);
        default: return comparison();
        }
    }
    void statement(unsigned depth) {
        if (own_words_ && random_.below(3) == 0) return own_words();
        switch (random_.below(depth < 3 ? 7 : 4)) {
        case 0:
        case 1: {
            const vFloat e = expression();
            some() = e;
            break;
        }
        case 2: number_ = integer(); break;
        case 3: dst_reg[static_cast<int>(random_.below(6))] = some(); break;
        case 4: v_if(holds(0)) { run(1 + random_.below(3), depth + 1);
            }
            v_endif;
            break;
        case 5: v_if(holds(0)) { run(1 + random_.below(2), depth + 1);
            }
            v_else { run(1 + random_.below(2), depth + 1); }
            v_endif;
            break;
        default: v_if(holds(0)) { run(1, depth + 1);
            }
            v_elseif(holds(0)) { run(1, depth + 1); }
            v_else { run(1, depth + 1); }
            v_endif;
            break;
        }
    }

    void own_words() {
        switch (random_.below(5)) {
        case 0:
            TTI_SFPLOAD(0, 0, SFPLOAD_ADDR_MODE_NOINC, 4);
            TTI_SFPSTORE(0, 0, SFPLOAD_ADDR_MODE_NOINC, 6);
            break;
        case 1: { // something stands between a word that gives a value and one that takes it
            TTI_SFPLOADI(7, 0, 0x4100);
            const vFloat e = expression();
            some() = e;
            TTI_SFPSTORE(7, 0, SFPLOAD_ADDR_MODE_NOINC, 10);
            break;
        }
        case 2: { // lanes of the kernel's own
            TTI_SFPPUSHC(0, 0, 0, 0);
            TTI_SFPLOAD(0, 0, SFPLOAD_ADDR_MODE_NOINC, 8);
            TTI_SFPSETCC(0, 0, 0, SFPSETCC_MOD1_LREG_LT0);
            dst_reg[3] = some() * literal();
            TTI_SFPPOPC(0, 0, 0, 0);
            break;
        }
        case 3: vConstIntPrgm0 = static_cast<int>(random_.below(3)) + 7; break;
        default: dst_reg[static_cast<int>(random_.below(6))] = vInt(vConstIntPrgm0); break;
        }
    }

    random_bits random_;
    const bool own_words_;
    const unsigned variables_;
    vFloat floats_[most_float_variables];
    vInt number_;
};

/// All values are there before the first of them is needed.
void sum_of_many(unsigned count) {
    std::vector<vFloat> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(dst_reg[static_cast<int>(i)]);
    vFloat sum = all[count - 1];
    for (unsigned i = 0; i + 1 < count; ++i) sum = sum + all[i];
    dst_reg[20] = sum;
}

/// Conditions in each other, `depth` of them, and where the innermost stands.
constexpr unsigned line_of_nested_if = __LINE__ + 2;
void nested_in(const vFloat& x, vFloat& y, unsigned depth) {
    v_if(x < static_cast<float>(depth)) {
        y = y + 1.0f;
        if (depth > 1) nested_in(x, y, depth - 1);
    }
    v_endif;
}
void nested(unsigned depth) {
    vFloat x = dst_reg[0], y = 0.0f;
    nested_in(x, y, depth);
    dst_reg[1] = y;
}
/// The same behind entries of the flag stack that the kernel pushed itself.
void nested_behind_own(unsigned own, unsigned depth) {
    for (unsigned i = 0; i < own; ++i) TTI_SFPPUSHC(0, 0, 0, 0);
    nested(depth);
    for (unsigned i = 0; i < own; ++i) TTI_SFPPOPC(0, 0, 0, 0);
}
/// The innermost condition is a conjunction with an || in it, which needs an entry more.
void nested_around_either(unsigned depth) {
    vFloat x = dst_reg[0], y = 0.0f;
    const std::function<void(unsigned)> inner = [&](unsigned left) {
        if (left == 1) {
            v_if(x != 3.0f && (x < 1.0f || x == 2.0f)) { y = x; }
            v_endif;
        } else {
            v_if(x < static_cast<float>(left)) { inner(left - 1); }
            v_endif;
        }
    };
    inner(depth);
    dst_reg[1] = y;
}

// clang-format off
#define ELSE_IF(bound) v_elseif(x < bound) { y = bound; }
void chain_of_seven() {
    vFloat x = dst_reg[0], y = 0.0f;
    v_if(x < -9.0f) { y = x; }
    ELSE_IF(-8.0f) ELSE_IF(-4.0f) ELSE_IF(-1.0f) ELSE_IF(0.0f) ELSE_IF(1.0f) ELSE_IF(4.0f) ELSE_IF(8.0f)
    v_else { y = 16.0f; }
    v_endif;
    dst_reg[1] = y;
}
void chain_of_eight() {
    vFloat x = dst_reg[0], y = 0.0f;
    v_if(x < -9.0f) { y = x; }
    ELSE_IF(-8.0f) ELSE_IF(-4.0f) ELSE_IF(-1.0f) ELSE_IF(0.0f) ELSE_IF(1.0f) ELSE_IF(4.0f) ELSE_IF(8.0f)
    ELSE_IF(9.0f)
    v_else { y = 16.0f; }
    v_endif;
    dst_reg[1] = y;
}
#undef ELSE_IF
// clang-format on
constexpr unsigned line_of_the_eighth = __LINE__ - 7;

/// Each value is needed again once the product of all has taken the place of one of them.
void times_product_of_many(unsigned count) {
    std::vector<vFloat> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(dst_reg[static_cast<int>(i)]);
    vFloat product = all[0];
    for (unsigned i = 1; i < count; ++i) product = product * all[i];
    dst_reg[0] = product;
    for (unsigned i = 0; i < count; ++i) dst_reg[static_cast<int>(i + 1)] = all[i] * product;
}
constexpr unsigned line_of_many_loads = __LINE__ - 6, line_of_their_product = __LINE__ - 4;

/// A value is needed at both ends of a computation that needs all other registers.
void needed_again() {
    vFloat x = dst_reg[0], y[7];
    for (int i = 0; i < 7; ++i) y[i] = x * static_cast<float>(i + 3);
    vFloat product = y[0];
    for (int i = 1; i < 7; ++i) product = product * y[i];
    for (int i = 0; i < 7; ++i) product = product + y[i];
    dst_reg[1] = product * x;
}

void scaled() { dst_reg[0] = dst_reg[0] * 3.3f; }

void row() {
    vFloat x = dst_reg[0];
    v_if(x < 0.0f) { x = x * x - x; }
    v_endif;
    dst_reg[0] = x;
    dst_reg++;
}

void replayed(unsigned length) {
    lltt::record<lltt::Exec>(4, length);
    row();
    for (int i = 0; i < 3; ++i) lltt::replay(4, length);
}

vector_kernels all_vector_kernels() {
    return {{{"arithmetic", arithmetic},
             {"integers", integers},
             {"fields", fields},
             {"comparisons", comparisons},
             {"conditions", conditions},
             {"old_lanes", old_lanes},
             {"conversions", conversions},
             {"tables", tables},
             {"exchanges", exchanges},
             {"constants", constants},
             {"layouts", layouts},
             {"own_words", own_words},
             {"own_words_over_constants", own_words_over_constants},
             {"set_up", set_up},
             {"builtins", builtins},
             {"polynomials", polynomials},
             {"needed_again", needed_again},
             {"further_names", further_names},
             {"further_builtins", further_builtins},
             {"bounds", bounds},
             {"own_lanes", own_lanes},
             {"own_words_behind_replays", own_words_behind_replays},
             {"own_register_in_use", own_register_in_use}},
            [](std::uint64_t seed, unsigned statements) { random_statements(seed).run(statements); },
            scaled,
            row,
            replayed,
            sum_of_many,
            times_product_of_many,
            nested,
            nested_behind_own,
            nested_around_either,
            chain_of_seven,
            chain_of_eight,
            line_of_nested_if,
            line_of_the_eighth,
            line_of_many_loads,
            line_of_their_product};
}

} // namespace
} // namespace sfpu::test
