/* The functions of kore.h for R. Every one returns its result, or a failure (a list of class "kore_failure" with reason
 * and sentence) that R/engine.R turns into an error. What the engine gave out is freed also where R runs out of memory. */
#include "glue.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Utils.h>
#include <R_ext/Visibility.h>
#include <string.h>

static SEXP handle_class(void) { return install("kore_handle"); }

/* What the library says belongs to its last call. R may free a model, which is a call, whenever it needs memory, so the
 * words are copied before anything of R is asked for. */
struct words {
  char text[8192];
};

static struct words copied(const char *from)
{
  struct words words;
  size_t length = strlen(from);
  if (length >= sizeof words.text) {
    length = sizeof words.text - 1;
    while (length > 0 && (from[length] & 0xc0) == 0x80) --length; /* no half of a character */
  }
  memcpy(words.text, from, length);
  words.text[length] = '\0';
  return words;
}

static SEXP string_of(const struct words *words)
{
  SEXP string = PROTECT(mkCharCE(words->text, CE_UTF8));
  SEXP result = ScalarString(string);
  UNPROTECT(1);
  return result;
}

static SEXP failure(void)
{
  const struct words reason = copied(kore_last_reason());
  const struct words sentence = copied(kore_last_error());
  const char *members[] = {"reason", "sentence", ""};
  SEXP result = PROTECT(mkNamed(VECSXP, members));
  SET_VECTOR_ELT(result, 0, string_of(&reason));
  SET_VECTOR_ELT(result, 1, string_of(&sentence));
  setAttrib(result, R_ClassSymbol, PROTECT(mkString("kore_failure")));
  UNPROTECT(2);
  return result;
}

static void free_handle(SEXP handle)
{
  kore_free_model(R_ExternalPtrAddr(handle));
  R_ClearExternalPtr(handle);
}

static SEXP handle_of(kore_model *model)
{
  SEXP handle = PROTECT(R_MakeExternalPtr(model, handle_class(), R_NilValue));
  R_RegisterCFinalizerEx(handle, free_handle, TRUE);
  UNPROTECT(1);
  return handle;
}

static kore_model *model_of(SEXP handle)
{
  if (TYPEOF(handle) != EXTPTRSXP || R_ExternalPtrTag(handle) != handle_class())
    error("This is not a handle of a model.");
  return R_ExternalPtrAddr(handle);
}

/* A text of R, or null. */
static const char *text_of(SEXP text) { return isNull(text) ? NULL : translateCharUTF8(STRING_ELT(text, 0)); }

/* R ends a call by a jump where the user interrupts it. Here the jump ends at once, and the engine is told. */
static void check_interrupt(void *unused)
{
  (void)unused;
  R_CheckUserInterrupt();
}

static int interrupted(void *context)
{
  (void)context;
  return !R_ToplevelExec(check_interrupt, NULL);
}

static SEXP r_fit(SEXP columns, SEXP rows, SEXP options)
{
  struct r_stream *table = stream_of_table(columns, rows);
  kore_model *model = NULL;
  if (kore_fit(&table->stream, text_of(options), interrupted, NULL, &model) != KORE_OK) return failure();
  return handle_of(model);
}

struct result {
  struct ArrowSchema schema;
  struct ArrowArray array;
};

static void release_result(void *memory)
{
  struct result *result = memory;
  if (result->schema.release != NULL) result->schema.release(&result->schema);
  if (result->array.release != NULL) result->array.release(&result->array);
}

/* The columns of a result as a named list of numbers. */
static SEXP columns_of_result(void *memory)
{
  const struct words warnings = copied(kore_last_warnings());
  const struct result *result = memory;
  const R_xlen_t count = (R_xlen_t)result->array.n_children;
  SEXP columns = PROTECT(allocVector(VECSXP, count));
  SEXP names = PROTECT(allocVector(STRSXP, count));
  R_xlen_t c;
  for (c = 0; c < count; ++c) {
    const struct ArrowArray *column = result->array.children[c];
    SEXP values = allocVector(REALSXP, (R_xlen_t)column->length);
    SET_VECTOR_ELT(columns, c, values);
    if (column->length > 0)
      memcpy(REAL(values), (const double *)column->buffers[1] + column->offset, (size_t)column->length * sizeof(double));
    SET_STRING_ELT(names, c, mkCharCE(result->schema.children[c]->name, CE_UTF8));
  }
  setAttrib(columns, R_NamesSymbol, names);
  setAttrib(columns, install("warnings"), PROTECT(string_of(&warnings)));
  UNPROTECT(3);
  return columns;
}

static SEXP r_predict(SEXP handle, SEXP columns, SEXP rows, SEXP options)
{
  struct r_stream *table = stream_of_table(columns, rows);
  struct result result;
  memset(&result, 0, sizeof result);
  if (kore_predict(model_of(handle), &table->stream, text_of(options), &result.schema, &result.array) != KORE_OK)
    return failure();
  return R_ExecWithCleanup(columns_of_result, &result, release_result, &result);
}

static SEXP r_residuals(SEXP handle, SEXP columns, SEXP rows, SEXP options)
{
  struct r_stream *table = stream_of_table(columns, rows);
  struct result result;
  memset(&result, 0, sizeof result);
  if (kore_residuals(model_of(handle), &table->stream, text_of(options), &result.schema, &result.array) != KORE_OK)
    return failure();
  return R_ExecWithCleanup(columns_of_result, &result, release_result, &result);
}

static SEXP json_as_list(void *text) { return parse_json(text); }
static SEXP text_as_string(void *text)
{
  SEXP string = PROTECT(mkCharCE(text, CE_UTF8));
  SEXP result = ScalarString(string);
  UNPROTECT(1);
  return result;
}

static SEXP r_info(SEXP handle)
{
  char *text = NULL;
  if (kore_info(model_of(handle), &text) != KORE_OK) return failure();
  return R_ExecWithCleanup(json_as_list, text, kore_free, text);
}

static SEXP r_effects(SEXP handle)
{
  char *text = NULL;
  if (kore_effects(model_of(handle), &text) != KORE_OK) return failure();
  return R_ExecWithCleanup(json_as_list, text, kore_free, text);
}

static SEXP r_summary(SEXP handle)
{
  char *text = NULL;
  if (kore_summary(model_of(handle), &text) != KORE_OK) return failure();
  return R_ExecWithCleanup(text_as_string, text, kore_free, text);
}

struct bytes {
  char *at;
  size_t size;
};

static SEXP bytes_as_raw(void *memory)
{
  const struct bytes *bytes = memory;
  SEXP raw = allocVector(RAWSXP, (R_xlen_t)bytes->size);
  memcpy(RAW(raw), bytes->at, bytes->size);
  return raw;
}

static void free_bytes(void *memory) { kore_free(((struct bytes *)memory)->at); }

static SEXP r_to_bytes(SEXP handle)
{
  struct bytes bytes = {NULL, 0};
  if (kore_to_bytes(model_of(handle), &bytes.at, &bytes.size) != KORE_OK) return failure();
  return R_ExecWithCleanup(bytes_as_raw, &bytes, free_bytes, &bytes);
}

static SEXP r_from_bytes(SEXP raw)
{
  kore_model *model = NULL;
  if (kore_from_bytes((const char *)RAW(raw), (size_t)XLENGTH(raw), &model) != KORE_OK) return failure();
  return handle_of(model);
}

static SEXP r_export(SEXP handle, SEXP options)
{
  struct bytes bytes = {NULL, 0};
  if (kore_export(model_of(handle), text_of(options), &bytes.at, &bytes.size) != KORE_OK) return failure();
  return R_ExecWithCleanup(bytes_as_raw, &bytes, free_bytes, &bytes);
}

static SEXP r_report(SEXP handle, SEXP columns, SEXP rows, SEXP options, SEXP path)
{
  struct r_stream *table = stream_of_table(columns, rows);
  if (kore_report(model_of(handle), &table->stream, text_of(options), text_of(path)) != KORE_OK) return failure();
  return R_NilValue;
}

static SEXP r_save(SEXP handle, SEXP path)
{
  return kore_save(model_of(handle), text_of(path)) == KORE_OK ? R_NilValue : failure();
}

static SEXP r_load(SEXP path)
{
  kore_model *model = NULL;
  if (kore_load(text_of(path), &model) != KORE_OK) return failure();
  return handle_of(model);
}

static SEXP r_class(SEXP handle, SEXP name)
{
  kore_model *one = NULL;
  if (kore_class(model_of(handle), text_of(name), &one) != KORE_OK) return failure();
  return handle_of(one);
}

/* Of an object that was read from a file of R, the handle is a null pointer. */
static SEXP r_is_alive(SEXP handle) { return ScalarLogical(model_of(handle) != NULL); }

static SEXP r_engine(void)
{
  const char *members[] = {"version", "abi", "header", ""};
  SEXP result = PROTECT(mkNamed(VECSXP, members));
  SET_VECTOR_ELT(result, 0, mkString(kore_version()));
  SET_VECTOR_ELT(result, 1, ScalarInteger(kore_abi_version()));
  SET_VECTOR_ELT(result, 2, ScalarInteger(KORE_ABI_VERSION));
  UNPROTECT(1);
  return result;
}

static SEXP r_parse_json(SEXP text) { return parse_json(translateCharUTF8(STRING_ELT(text, 0))); }

static const R_CallMethodDef calls[] = {
    {"r_fit", (DL_FUNC)&r_fit, 3},
    {"r_predict", (DL_FUNC)&r_predict, 4},
    {"r_residuals", (DL_FUNC)&r_residuals, 4},
    {"r_info", (DL_FUNC)&r_info, 1},
    {"r_effects", (DL_FUNC)&r_effects, 1},
    {"r_summary", (DL_FUNC)&r_summary, 1},
    {"r_to_bytes", (DL_FUNC)&r_to_bytes, 1},
    {"r_from_bytes", (DL_FUNC)&r_from_bytes, 1},
    {"r_export", (DL_FUNC)&r_export, 2},
    {"r_report", (DL_FUNC)&r_report, 5},
    {"r_save", (DL_FUNC)&r_save, 2},
    {"r_load", (DL_FUNC)&r_load, 1},
    {"r_class", (DL_FUNC)&r_class, 2},
    {"r_is_alive", (DL_FUNC)&r_is_alive, 1},
    {"r_engine", (DL_FUNC)&r_engine, 0},
    {"r_parse_json", (DL_FUNC)&r_parse_json, 1},
    {NULL, NULL, 0},
};

void attribute_visible R_init_kore(DllInfo *library)
{
  R_registerRoutines(library, NULL, calls, NULL, NULL);
  R_useDynamicSymbols(library, FALSE);
  R_forceSymbols(library, TRUE);
}
