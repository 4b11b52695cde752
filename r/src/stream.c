/* Data frames of R as Arrow streams. Nothing is copied that Arrow can read as R keeps it: numbers. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "glue.h"

static void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static void release_array(struct ArrowArray *array) { array->release = NULL; }
static void release_stream(struct ArrowArrayStream *stream) { stream->release = NULL; }

static void *zeros(size_t count, size_t size)
{
  void *memory = R_alloc(count > 0 ? count : 1, (int)size);
  memset(memory, 0, (count > 0 ? count : 1) * size);
  return memory;
}

static void set_schema(struct ArrowSchema *schema, const char *format, const char *name)
{
  memset(schema, 0, sizeof *schema);
  schema->format = format;
  schema->name = name;
  schema->flags = 2; /* values may be missing */
  schema->release = release_schema;
}

static const void **set_array(struct ArrowArray *array, R_xlen_t rows, int buffers)
{
  memset(array, 0, sizeof *array);
  array->length = rows;
  array->n_buffers = buffers;
  array->buffers = zeros((size_t)buffers, sizeof(void *));
  array->release = release_array;
  return array->buffers;
}

/* Bits that say which values are there; the number of missing ones goes to the array. */
static uint8_t *all_there(R_xlen_t rows)
{
  uint8_t *bits = zeros((size_t)(rows / 8 + 1), 1);
  memset(bits, 0xff, (size_t)(rows / 8 + 1));
  return bits;
}

static void mark_missing(uint8_t *bits, R_xlen_t row, struct ArrowArray *array)
{
  bits[row / 8] &= (uint8_t) ~(1u << (row % 8));
  ++array->null_count;
}

static void add_numbers(SEXP values, struct ArrowArray *array)
{
  const void **buffers = set_array(array, XLENGTH(values), 2);
  buffers[1] = REAL(values); /* NA is one of its NaN, which the engine takes as missing */
}

static void add_integers(SEXP values, R_xlen_t rows, int first, struct ArrowArray *array)
{
  const void **buffers = set_array(array, rows, 2);
  uint8_t *bits = all_there(rows);
  int32_t *copy = zeros((size_t)rows, sizeof *copy);
  const int *from = INTEGER(values);
  R_xlen_t row;
  for (row = 0; row < rows; ++row) {
    if (from[row] == NA_INTEGER)
      mark_missing(bits, row, array);
    else
      copy[row] = from[row] - first;
  }
  buffers[0] = bits;
  buffers[1] = copy;
}

static void add_logicals(SEXP values, struct ArrowArray *array)
{
  const R_xlen_t rows = XLENGTH(values);
  const void **buffers = set_array(array, rows, 2);
  uint8_t *bits = all_there(rows);
  uint8_t *copy = zeros((size_t)(rows / 8 + 1), 1);
  R_xlen_t row;
  for (row = 0; row < rows; ++row) {
    const int value = LOGICAL(values)[row];
    if (value == NA_LOGICAL)
      mark_missing(bits, row, array);
    else if (value)
      copy[row / 8] |= (uint8_t)(1u << (row % 8));
  }
  buffers[0] = bits;
  buffers[1] = copy;
}

/* Offsets of 64 bits, so that a column may be longer than two gigabytes. */
static void add_texts(SEXP values, struct ArrowArray *array)
{
  const R_xlen_t rows = XLENGTH(values);
  const void **buffers = set_array(array, rows, 3);
  uint8_t *bits = all_there(rows);
  int64_t *ends = zeros((size_t)rows + 1, sizeof *ends);
  const char **texts = zeros((size_t)rows, sizeof *texts);
  char *bytes;
  R_xlen_t row;
  for (row = 0; row < rows; ++row) {
    const SEXP value = STRING_ELT(values, row);
    if (value == NA_STRING) mark_missing(bits, row, array);
    texts[row] = value == NA_STRING ? "" : translateCharUTF8(value);
    ends[row + 1] = ends[row] + (int64_t)strlen(texts[row]);
  }
  bytes = zeros((size_t)ends[rows], 1);
  for (row = 0; row < rows; ++row) memcpy(bytes + ends[row], texts[row], (size_t)(ends[row + 1] - ends[row]));
  buffers[0] = bits;
  buffers[1] = ends;
  buffers[2] = bytes;
}

static void add_factor(SEXP codes, SEXP levels, struct ArrowSchema *schema, struct ArrowArray *array)
{
  add_integers(codes, XLENGTH(codes), 1, array);
  schema->dictionary = zeros(1, sizeof *schema->dictionary);
  array->dictionary = zeros(1, sizeof *array->dictionary);
  set_schema(schema->dictionary, "U", "");
  add_texts(levels, array->dictionary);
}

/* Microseconds since 1970, as databases keep times. */
static void add_times(SEXP seconds, struct ArrowArray *array)
{
  const R_xlen_t rows = XLENGTH(seconds);
  const void **buffers = set_array(array, rows, 2);
  uint8_t *bits = all_there(rows);
  int64_t *copy = zeros((size_t)rows, sizeof *copy);
  R_xlen_t row;
  for (row = 0; row < rows; ++row) {
    const double value = REAL(seconds)[row];
    if (!R_FINITE(value) || fabs(value) > 9e12)
      mark_missing(bits, row, array);
    else
      copy[row] = (int64_t)llround(value * 1e6);
  }
  buffers[0] = bits;
  buffers[1] = copy;
}

static void add_column(SEXP column, const char *name, struct ArrowSchema *schema, struct ArrowArray *array)
{
  const char kind = CHAR(STRING_ELT(VECTOR_ELT(column, 0), 0))[0];
  const SEXP values = VECTOR_ELT(column, 1);
  set_schema(schema, "g", name);
  switch (kind) {
    case 'n': /* number */
      add_numbers(values, array);
      break;
    case 'i': /* integer */
      schema->format = "i";
      add_integers(values, XLENGTH(values), 0, array);
      break;
    case 'l': /* logical */
      schema->format = "b";
      add_logicals(values, array);
      break;
    case 't': /* text */
      schema->format = "U";
      add_texts(values, array);
      break;
    case 'f': /* factor */
      schema->format = "i";
      add_factor(values, VECTOR_ELT(column, 2), schema, array);
      break;
    case 'd': /* date, as whole days */
      schema->format = "tdD";
      add_integers(values, XLENGTH(values), 0, array);
      break;
    default: /* moment, as seconds */
      schema->format = "tsu:UTC";
      add_times(values, array);
  }
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  *out = ((struct r_stream *)stream->private_data)->schema;
  return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  struct r_stream *table = stream->private_data;
  memset(out, 0, sizeof *out);
  if (!table->given) *out = table->array;
  table->given = 1;
  return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
  (void)stream;
  return NULL;
}

struct r_stream *stream_of_table(SEXP columns, SEXP rows)
{
  const int count = (int)XLENGTH(columns);
  const SEXP names = getAttrib(columns, R_NamesSymbol);
  struct r_stream *table = zeros(1, sizeof *table);
  int c;
  table->schemas = zeros((size_t)count, sizeof *table->schemas);
  table->schema_places = zeros((size_t)count, sizeof *table->schema_places);
  table->arrays = zeros((size_t)count, sizeof *table->arrays);
  table->array_places = zeros((size_t)count, sizeof *table->array_places);
  for (c = 0; c < count; ++c) {
    add_column(VECTOR_ELT(columns, c), translateCharUTF8(STRING_ELT(names, c)), &table->schemas[c], &table->arrays[c]);
    table->schema_places[c] = &table->schemas[c];
    table->array_places[c] = &table->arrays[c];
  }
  set_schema(&table->schema, "+s", "");
  table->schema.flags = 0;
  table->schema.n_children = count;
  table->schema.children = table->schema_places;
  set_array(&table->array, (R_xlen_t)asReal(rows), 1);
  table->array.n_children = count;
  table->array.children = table->array_places;
  table->stream.get_schema = get_schema;
  table->stream.get_next = get_next;
  table->stream.get_last_error = get_last_error;
  table->stream.release = release_stream;
  table->stream.private_data = table;
  return table;
}
