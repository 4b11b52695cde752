#pragma once

#include <array>
#include <string_view>

/// What every exported C file needs, as text. A file gets the parts that its model uses.
namespace kore::portable {

inline constexpr std::array<std::string_view, 70> c_keywords{
    "auto",      "break",    "case",      "char",     "const",    "continue", "default",   "do",
    "double",    "else",     "enum",      "extern",   "float",    "for",      "goto",      "if",
    "inline",    "int",      "long",      "register", "restrict", "return",   "short",     "signed",
    "sizeof",    "static",   "struct",    "switch",   "typedef",  "union",    "unsigned",  "void",
    "volatile",  "while",    "bool",      "true",     "false",    "class",    "public",    "private",
    "protected", "new",      "delete",    "this",     "template", "typename", "namespace", "using",
    "virtual",   "operator", "friend",    "throw",    "try",      "catch",    "and",       "or",
    "not",       "xor",      "export",    "mutable",  "explicit", "asm",      "typeid",    "requires",
    "concept",   "nullptr",  "constexpr", "alignas",  "linux",    "unix"};

inline constexpr std::string_view c_find_text = R"(/* The code of a text among sorted levels. */
static int find_text(const char *const *levels, const int *codes, int count, const char *text, int other)
{
  int low = 0, high = count - 1;
  while (low <= high) {
    const int middle = (low + high) / 2;
    const char *level = levels[middle];
    int at = 0;
    while (level[at] != '\0' && level[at] == text[at]) ++at;
    if (level[at] == text[at]) return codes[middle];
    if ((unsigned char)level[at] < (unsigned char)text[at]) low = middle + 1;
    else high = middle - 1;
  }
  return other;
}

)";

inline constexpr std::string_view c_count_up_to = R"(/* How many of rising numbers are at most x. */
static int count_up_to(const double *numbers, int count, double x)
{
  int low = 0, high = count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (numbers[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

)";

inline constexpr std::string_view c_warp = R"(/* Piecewise linear; beyond the ends the outer pieces go on. */
static double warp(const double *nodes, const double *values, int count, double x)
{
  const int found = count_up_to(nodes, count, x) - 1;
  const int node = found < 0 ? 0 : found;
  const int piece = node > count - 2 ? count - 2 : node;
  return values[node] + (x - nodes[node]) / (nodes[piece + 1] - nodes[piece]) * (values[piece + 1] - values[piece]);
}

)";

inline constexpr std::string_view c_single =
    R"(static void single_value(struct axis *to, const double *values, int count, double x)
{
  const int after = count_up_to(values, count, x);
  to->first = after > 0 && values[after - 1] == x ? after - 1 : count;
  to->value[0] = 1.0;
}

)";

inline constexpr std::string_view c_curve_body = R"(  double beyond = 0.0, u;
  if (outside != 0) { /* 1: tangents go on, 2: level */
    const double held = position < 0.0 ? 0.0 : position > intervals ? intervals : position;
    if (outside == 1) beyond = position - held;
    position = held;
  }
  to->first = position >= intervals - 1 ? intervals - 1 : position > 0.0 ? (int)position : 0;
  u = position - to->first;
)";

inline constexpr std::array<std::string_view, 3> c_sums{
    R"(static double sum_1(const double *c, const struct axis *a, int width)
{
  double sum = 0.0;
  int s;
  for (s = 0; s < width; ++s) sum += a->value[s] * c[a->first + s];
  return sum;
}

)",
    R"(static double sum_2(const double *c, const struct axis *a, int width_a, const struct axis *b, int width_b, int size_b)
{
  double sum = 0.0;
  int s;
  for (s = 0; s < width_a; ++s) sum += a->value[s] * sum_1(c + (a->first + s) * size_b, b, width_b);
  return sum;
}

)",
    R"(static double sum_3(const double *c, const struct axis *a, int width_a, const struct axis *b, int width_b,
                    const struct axis *d, int width_d, int size_b, int size_d)
{
  double sum = 0.0;
  int s;
  for (s = 0; s < width_a; ++s)
    sum += a->value[s] * sum_2(c + (a->first + s) * size_b * size_d, b, width_b, d, width_d, size_d);
  return sum;
}

)"};

inline constexpr std::string_view c_exponential =
    R"(/* e to the x, to the last digits of a double: 2^k e^r with |r| below 0.35. */
static double exponential(double x)
{
  double result = 1.0, power = 2.0, r;
  int k, i;
  if (x != x) return x;
  if (x < -745.2) return 0.0;
  if (x > 710.0) return x * 1e306; /* infinite */
  k = (int)(x * 1.4426950408889634 + (x < 0.0 ? -0.5 : 0.5));
  r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
  for (i = 15; i > 0; --i) result = 1.0 + result * r / i;
  if (k > 1023) {
    result *= 2.0;
    --k;
  }
  if (k < 0) {
    power = 0.5;
    k = -k;
  }
  for (; k > 0; k >>= 1, power *= power)
    if (k & 1) result *= power;
  return result;
}

)";

}  // namespace kore::portable
