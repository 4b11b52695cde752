// Highway is a library of headers but for this: which instruction sets the processor has. Its own answer is
// part of a library that a machine with R alone does not have. Here the compiler's functions answer.
#include <hwy/targets.h>

namespace hwy {

int64_t SupportedTargets() {
  int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86 && defined(__GNUC__)
  const auto has = [](int found) { return found != 0; };
  const bool ssse3 = has(__builtin_cpu_supports("ssse3"));
  const bool sse4 = ssse3 && has(__builtin_cpu_supports("sse4.2")) && has(__builtin_cpu_supports("pclmul")) &&
                    has(__builtin_cpu_supports("aes"));
  const bool avx2 = sse4 && has(__builtin_cpu_supports("avx2")) && has(__builtin_cpu_supports("fma")) &&
                    has(__builtin_cpu_supports("bmi")) && has(__builtin_cpu_supports("bmi2")) &&
                    has(__builtin_cpu_supports("f16c"));
  const bool avx3 = avx2 && has(__builtin_cpu_supports("avx512f")) &&
                    has(__builtin_cpu_supports("avx512vl")) && has(__builtin_cpu_supports("avx512dq")) &&
                    has(__builtin_cpu_supports("avx512bw")) && has(__builtin_cpu_supports("avx512cd"));
  if (ssse3) targets |= HWY_SSSE3;
  if (sse4) targets |= HWY_SSE4;
  if (avx2) targets |= HWY_AVX2;
  if (avx3) targets |= HWY_AVX3;
#endif
  return targets;
}

ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

}  // namespace hwy
