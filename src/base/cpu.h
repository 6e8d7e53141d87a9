/*
 * The instruction sets that kernels may use on this processor. Only dispatch files read it; a
 * kernel is a plain function that its caller has to have checked.
 */
#ifndef SPC_BASE_CPU_H
#define SPC_BASE_CPU_H

#include <stdint.h>

#define SPC__CPU_BMI2_ADX    (1u << 0) /* x86-64: mulx, adcx, adox */
#define SPC__CPU_AVX2_FMA    (1u << 1) /* x86-64: AVX2 and FMA3, enabled by the OS */
#define SPC__CPU_AVX512      (1u << 2) /* x86-64: AVX-512 F, VL, BW, DQ, enabled by the OS */
#define SPC__CPU_AVX512_IFMA (1u << 3) /* x86-64: AVX-512 IFMA on top of SPC__CPU_AVX512 */
#define SPC__CPU_SHA_NI      (1u << 4) /* x86-64: SHA extensions with SSSE3 and SSE4.1 */
#define SPC__CPU_ARM_SHA2    (1u << 5) /* AArch64: SHA-256 instructions */
#define SPC__CPU_FUSED_MADD  (1u << 6) /* Wasm: the multiply-add of relaxed SIMD rounds once */

/*
 * The features of this processor as a mask of the above. Detected once and cached in an atomic;
 * the result never changes, so concurrent first calls are harmless.
 */
uint32_t spc__cpu_features(void);

#endif
