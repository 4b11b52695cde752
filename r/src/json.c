/* Reads the JSON of the engine: objects become named lists; arrays of numbers, of texts or of truth values become
 * vectors, with NA where a value is null; other arrays become lists, and null becomes NULL. */
#include <stdlib.h>
#include <string.h>

#include "glue.h"

struct reader {
  const char *at;
  int depth;
};

static SEXP read_value(struct reader *reader);

static void NORET refuse(const char *what)
{
  error("The engine's JSON has %s.", what);
}

static void skip_spaces(struct reader *reader)
{
  while (*reader->at == ' ' || *reader->at == '\n' || *reader->at == '\t' || *reader->at == '\r') ++reader->at;
}

static int take(struct reader *reader, char wanted)
{
  skip_spaces(reader);
  if (*reader->at != wanted) return 0;
  ++reader->at;
  return 1;
}

static unsigned hexadecimal(const char *digits)
{
  unsigned value = 0;
  int i;
  for (i = 0; i < 4; ++i) {
    const char d = digits[i];
    const unsigned digit = d >= '0' && d <= '9'   ? (unsigned)(d - '0')
                           : d >= 'a' && d <= 'f' ? (unsigned)(d - 'a' + 10)
                           : d >= 'A' && d <= 'F' ? (unsigned)(d - 'A' + 10)
                                                  : 16;
    if (digit > 15) refuse("a bad escape");
    value = value * 16 + digit;
  }
  return value;
}

/* UTF-8 of a code point; returns its length. */
static size_t put_code(unsigned code, char *to)
{
  if (code < 0x80) {
    to[0] = (char)code;
    return 1;
  }
  if (code < 0x800) {
    to[0] = (char)(0xc0 | (code >> 6));
    to[1] = (char)(0x80 | (code & 0x3f));
    return 2;
  }
  if (code < 0x10000) {
    to[0] = (char)(0xe0 | (code >> 12));
    to[1] = (char)(0x80 | ((code >> 6) & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
  }
  to[0] = (char)(0xf0 | (code >> 18));
  to[1] = (char)(0x80 | ((code >> 12) & 0x3f));
  to[2] = (char)(0x80 | ((code >> 6) & 0x3f));
  to[3] = (char)(0x80 | (code & 0x3f));
  return 4;
}

/* \uXXXX, of which two may stand for one code point. A zero byte cannot be in a text of R. */
static unsigned read_code(struct reader *reader)
{
  unsigned code = hexadecimal(reader->at);
  reader->at += 4;
  if (code >= 0xd800 && code < 0xdc00 && reader->at[0] == '\\' && reader->at[1] == 'u') {
    const unsigned low = hexadecimal(reader->at + 2);
    reader->at += 6;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  }
  return code == 0 ? 0xfffd : code;
}

static char plain_escape(char letter)
{
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    default:
      return letter;
  }
}

/* A text behind its first quote. It is never longer than what stands for it. */
static SEXP read_text(struct reader *reader)
{
  const char *end = reader->at;
  char *text;
  size_t length = 0;
  const void *before = vmaxget();
  SEXP result;
  while (*end != '"') {
    if (*end == '\0') refuse("a text without an end");
    end += *end == '\\' && end[1] != '\0' ? 2 : 1;
  }
  text = R_alloc((size_t)(end - reader->at) + 1, 1);
  while (reader->at < end) {
    if (*reader->at != '\\') {
      text[length++] = *reader->at++;
    } else if (reader->at[1] == 'u') {
      reader->at += 2;
      length += put_code(read_code(reader), text + length);
    } else {
      text[length++] = plain_escape(reader->at[1]);
      reader->at += 2;
    }
  }
  ++reader->at;
  result = mkCharLenCE(text, (int)length, CE_UTF8);
  vmaxset(before);
  return result;
}

/* A list that grows, kept safe from the garbage collector. */
struct growing {
  SEXP values;
  PROTECT_INDEX place;
  R_xlen_t size;
};

static struct growing start(SEXPTYPE type)
{
  struct growing list = {NULL, 0, 0};
  list.values = allocVector(type, 8);
  PROTECT_WITH_INDEX(list.values, &list.place);
  return list;
}

static void make_room(struct growing *list)
{
  if (list->size == XLENGTH(list->values)) {
    list->values = xlengthgets(list->values, 2 * list->size);
    REPROTECT(list->values, list->place);
  }
}

static SEXP read_object(struct reader *reader)
{
  struct growing names = start(STRSXP);
  struct growing values = start(VECSXP);
  SEXP result;
  if (!take(reader, '}')) {
    do {
      make_room(&names);
      make_room(&values);
      if (!take(reader, '"')) refuse("a member without a name");
      SET_STRING_ELT(names.values, names.size++, read_text(reader));
      if (!take(reader, ':')) refuse("a member without a value");
      SET_VECTOR_ELT(values.values, values.size++, read_value(reader));
    } while (take(reader, ','));
    if (!take(reader, '}')) refuse("an object without an end");
  }
  result = PROTECT(xlengthgets(values.values, values.size));
  setAttrib(result, R_NamesSymbol, PROTECT(xlengthgets(names.values, names.size)));
  UNPROTECT(4);
  return result;
}

/* The type of a vector that can hold all elements: of numbers where all are null. */
static SEXPTYPE common_type(SEXP list, R_xlen_t size)
{
  SEXPTYPE common = NILSXP;
  R_xlen_t i;
  for (i = 0; i < size; ++i) {
    const SEXP value = VECTOR_ELT(list, i);
    const SEXPTYPE type = (SEXPTYPE)TYPEOF(value);
    if (type == NILSXP) continue;
    if (XLENGTH(value) != 1 || getAttrib(value, R_NamesSymbol) != R_NilValue || inherits(value, "kore_array"))
      return VECSXP;
    if (type != REALSXP && type != STRSXP && type != LGLSXP) return VECSXP;
    if (common != NILSXP && type != common) return VECSXP;
    common = type;
  }
  return common == NILSXP ? REALSXP : common;
}

static SEXP simplified(SEXP list, R_xlen_t size)
{
  const SEXPTYPE type = size == 0 ? VECSXP : common_type(list, size);
  SEXP result = PROTECT(allocVector(type, size));
  R_xlen_t i;
  for (i = 0; i < size; ++i) {
    const SEXP value = VECTOR_ELT(list, i);
    const int there = value != R_NilValue;
    if (type == VECSXP)
      SET_VECTOR_ELT(result, i, value);
    else if (type == STRSXP)
      SET_STRING_ELT(result, i, there ? STRING_ELT(value, 0) : NA_STRING);
    else if (type == LGLSXP)
      LOGICAL(result)[i] = there ? LOGICAL(value)[0] : NA_LOGICAL;
    else
      REAL(result)[i] = there ? REAL(value)[0] : NA_REAL;
  }
  /* A vector inside another array stays a vector of its own, also where it has one element. */
  if (type != VECSXP) setAttrib(result, R_ClassSymbol, PROTECT(mkString("kore_array"))), UNPROTECT(1);
  UNPROTECT(1);
  return result;
}

/* Takes the mark of arrays off the elements of a list. */
static void unmark(SEXP list)
{
  R_xlen_t i;
  for (i = 0; i < XLENGTH(list); ++i) {
    const SEXP value = VECTOR_ELT(list, i);
    if (inherits(value, "kore_array")) setAttrib(value, R_ClassSymbol, R_NilValue);
  }
}

static SEXP read_array(struct reader *reader)
{
  struct growing values = start(VECSXP);
  SEXP result;
  if (!take(reader, ']')) {
    do {
      make_room(&values);
      SET_VECTOR_ELT(values.values, values.size++, read_value(reader));
    } while (take(reader, ','));
    if (!take(reader, ']')) refuse("an array without an end");
  }
  result = simplified(values.values, values.size);
  UNPROTECT(1);
  return result;
}

static int take_word(struct reader *reader, const char *word)
{
  const size_t length = strlen(word);
  if (strncmp(reader->at, word, length) != 0) return 0;
  reader->at += length;
  return 1;
}

static SEXP read_number(struct reader *reader)
{
  char *end = NULL;
  const double value = strtod(reader->at, &end);
  if (end == reader->at) refuse("something that is no value");
  reader->at = end;
  return ScalarReal(value);
}

static SEXP read_value(struct reader *reader)
{
  SEXP value;
  if (++reader->depth > 200) refuse("too many levels");
  if (take(reader, '{'))
    value = read_object(reader);
  else if (take(reader, '['))
    value = read_array(reader);
  else if (take(reader, '"')) {
    value = ScalarString(PROTECT(read_text(reader)));
    UNPROTECT(1);
  } else if (take_word(reader, "null"))
    value = R_NilValue;
  else if (take_word(reader, "true"))
    value = ScalarLogical(1);
  else if (take_word(reader, "false"))
    value = ScalarLogical(0);
  else
    value = read_number(reader);
  --reader->depth;
  if (TYPEOF(value) == VECSXP) {
    PROTECT(value);
    unmark(value);
    UNPROTECT(1);
  }
  return value;
}

SEXP parse_json(const char *text)
{
  struct reader reader = {text, 0};
  SEXP value = PROTECT(read_value(&reader));
  skip_spaces(&reader);
  if (*reader.at != '\0') refuse("something behind its end");
  if (inherits(value, "kore_array")) setAttrib(value, R_ClassSymbol, R_NilValue);
  UNPROTECT(1);
  return value;
}
