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

inline constexpr std::string_view c_less_periods =
    R"(/* A value less whole periods; one that is too far away for its digits to say where counts as the first. */
static double less_periods(double x, double first, double period, double farthest)
{
  const double away = x - first;
  double whole;
  if (away < -farthest || away > farthest) return first;
  whole = (double)(long)(away / period);
  if (whole > away / period) whole -= 1.0;
  return x - period * whole;
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

/// Between 1e-12 and 1, which is all that classes need.
inline constexpr std::string_view c_logarithm = R"(/* The natural logarithm of a number up to 1. */
static double logarithm(double x)
{
  double sum = 0.0, t;
  int i, halvings = 0;
  for (; x < 0.7; x *= 2.0) ++halvings;
  t = (x - 1.0) / (x + 1.0);
  for (i = 23; i > 0; i -= 2) sum = sum * t * t + 1.0 / i;
  return 2.0 * t * sum - halvings * 6.93147180559945309417e-01;
}

)";

/// What a file declares: {0} its name, {1} what else is refused, {2} the number of classes.
inline constexpr std::string_view c_functions =
    R"(/* The prediction, in units of the target. NaN where there is none: a number of the row is infinite{1}
   or so far outside the training range that the result is no number. */
double {0}_predict(const struct {0}_row *row);

/* The sum of the terms, before it is carried to the units of the target and held within limits. */
double {0}_sum(const struct {0}_row *row);

)";

inline constexpr std::string_view c_class_functions =
    R"(/* The classes, in the order of their probabilities. */
extern const char *const {0}_classes[{2}];

/* The probability of each class; returns the place of the most probable one. NaN and -1 where there is none: a
   number of the row is infinite{1} or so far outside the training range that the result is no number. */
int {0}_predict(const struct {0}_row *row, double probability[{2}]);

)";

/// Inside the function of a mean: {0} its place, {1} the number of places, {2} the last of them.
inline constexpr std::string_view c_shift =
    R"(  const int after = count_up_to(shift_places_{0}, {1}, mean);
  if (after == 0) mean += shifts_{0}[0];
  else if (after == {1}) mean += shifts_{0}[{2}];
  else mean += shifts_{0}[after - 1] + (mean - shift_places_{0}[after - 1]) /
       (shift_places_{0}[after] - shift_places_{0}[after - 1]) * (shifts_{0}[after] - shifts_{0}[after - 1]);
)";

/// {0} the name of the file, {1} what puts the known part of the row to the mean.
inline constexpr std::string_view c_prediction = R"(double {0}_sum(const struct {0}_row *row)
{{
  const double zero = 0.0;
  double sum;
  return add_up(row, &sum) ? sum : zero / zero;
}}

double {0}_predict(const struct {0}_row *row)
{{
  double mean = mean_0({0}_sum(row));
{1}  return mean - mean == 0.0 ? mean : mean - mean;
}}
)";

/// {0} the name of the file, {1} statements from sums to means, {2} the number of classes, {3} and {4} the
/// limits of a mean, {5} and {6} the exponents.
inline constexpr std::string_view c_class_prediction =
    R"(int {0}_predict(const struct {0}_row *row, double probability[{2}])
{{
  const double zero = 0.0;
  double sum = 0.0;
  int k, known = add_up(row, probability), most = 0;
  for (k = 0; k < {2}; ++k) known = known && probability[k] == probability[k];
  if (!known) {{
    for (k = 0; k < {2}; ++k) probability[k] = zero / zero;
    return -1;
  }}
{1}  for (k = 0; k < {2}; ++k) {{
    double s = probability[k];
    s = s < {3} ? {3} : s > {4} ? {4} : s;
    probability[k] = {5} * logarithm(s) - {6} * logarithm(1.0 - s);
    if (probability[k] > probability[most]) most = k;
  }}
  {{
    const double largest = probability[most];
    for (k = 0; k < {2}; ++k) sum += probability[k] = exponential(probability[k] - largest);
  }}
  for (k = 0; k < {2}; ++k) probability[k] /= sum;
  return most;
}}
)";

}  // namespace kore::portable
