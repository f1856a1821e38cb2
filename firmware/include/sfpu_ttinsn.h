/* `.ttinsn WORD` for an assembler that does not have it, as stock binutils do not: a Tensix word in the
 * instruction stream, which the core pushes without a store.
 *
 * For C and C++, included before the first use; for .S files, too. WORD is a constant below 0xC0000000: the
 * core takes what lies above for an instruction of its own. With the vendor's assembler define
 * SFPU_HAS_TTINSN.
 */
#ifndef SFPU_TTINSN_H
#define SFPU_TTINSN_H

#ifndef SFPU_HAS_TTINSN
#ifdef __ASSEMBLER__
.macro .ttinsn word
    .if (((\word) >> 30) & 3) == 3
    .error "this word cannot be pushed by .ttinsn"
    .endif
    .4byte (((\word) << 2) & 0xfffffffc) | (((\word) >> 30) & 3)
.endm
#else
__asm__(".macro .ttinsn word\n"
        "\t.if (((\\word) >> 30) & 3) == 3\n"
        "\t.error \"this word cannot be pushed by .ttinsn\"\n"
        "\t.endif\n"
        "\t.4byte (((\\word) << 2) & 0xfffffffc) | (((\\word) >> 30) & 3)\n"
        "\t.endm\n");
#endif
#endif

#endif
