#ifndef KORE_TESTS_MADE_TABLE_H
#define KORE_TESTS_MADE_TABLE_H

/* A table made by hand for the tests of the C interface, and how they say what is wrong. */
#include <kore/kore.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 200 };

static int wrong = 0;

static inline void expect(int holds, const char *statement, int line)
{
  if (holds) return;
  ++wrong;
  printf("line %d: %s does not hold; last error: %s\n", line, statement, kore_last_error());
}
#define EXPECT(statement) expect(statement, #statement, __LINE__)

/* A table of two columns of doubles, "x" and "y", whose memory is static. */
static double x[ROWS], y[ROWS];
static const char *names[2] = {"x", "y"};
static const void *buffers[2][2] = {{NULL, x}, {NULL, y}};
static const void *no_buffer[1] = {NULL};
static int released = 0;

struct table {
  struct ArrowSchema columns[2], *schemas[2];
  struct ArrowArray arrays[2], *children[2];
  int given;
};

static inline void release_schema(struct ArrowSchema *schema) { schema->release = NULL; }
static inline void release_array(struct ArrowArray *array) { array->release = NULL; }
static inline void release_stream(struct ArrowArrayStream *stream)
{
  ++released;
  stream->release = NULL;
}

static inline int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  struct table *table = stream->private_data;
  int c;
  memset(out, 0, sizeof *out);
  for (c = 0; c < 2; ++c) {
    struct ArrowSchema *column = &table->columns[c];
    memset(column, 0, sizeof *column);
    column->format = "g";
    column->name = names[c];
    column->flags = 2;
    column->release = release_schema;
    table->schemas[c] = column;
  }
  out->format = "+s";
  out->name = "";
  out->n_children = 2;
  out->children = table->schemas;
  out->release = release_schema;
  return 0;
}

static inline int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  struct table *table = stream->private_data;
  int c;
  memset(out, 0, sizeof *out);
  if (table->given++) return 0;
  for (c = 0; c < 2; ++c) {
    struct ArrowArray *array = &table->arrays[c];
    memset(array, 0, sizeof *array);
    array->length = ROWS;
    array->n_buffers = 2;
    array->buffers = buffers[c];
    array->release = release_array;
    table->children[c] = array;
  }
  out->length = ROWS;
  out->n_buffers = 1;
  out->buffers = no_buffer;
  out->n_children = 2;
  out->children = table->children;
  out->release = release_array;
  return 0;
}

static inline const char *get_last_error(struct ArrowArrayStream *stream)
{
  (void)stream;
  return "nothing";
}

static inline struct ArrowArrayStream stream_of(struct table *table)
{
  struct ArrowArrayStream stream = {get_schema, get_next, get_last_error, release_stream, NULL};
  memset(table, 0, sizeof *table);
  stream.private_data = table;
  return stream;
}

/* A curve with a little noise. */
static inline void fill_table(void)
{
  int row;
  for (row = 0; row < ROWS; ++row) {
    x[row] = (row * 37 % ROWS) / (double)ROWS;
    y[row] = sin(6 * x[row]) + 0.02 * ((row * 53 % 17) / 8.0 - 1);
  }
}

#endif
