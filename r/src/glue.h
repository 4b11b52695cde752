#ifndef KORE_R_GLUE_H
#define KORE_R_GLUE_H

#include <R.h>
#include <Rinternals.h>
#include <kore/kore.h>

/* A table of R as the engine reads it: a stream with one batch. Its memory belongs to R until the call of .Call ends. */
struct r_stream {
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowSchema *schemas;
  struct ArrowSchema **schema_places;
  struct ArrowArray array;
  struct ArrowArray *arrays;
  struct ArrowArray **array_places;
  int given;
};

/* Columns as R/table.R prepares them: a list of list(kind, values, levels), and the number of rows. */
struct r_stream *stream_of_table(SEXP columns, SEXP rows);

/* A JSON text as lists and vectors. Throws R's errors. */
SEXP parse_json(const char *text);

#endif
