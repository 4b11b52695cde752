#ifndef KORE_KORE_H
#define KORE_KORE_H

/* The engine for other languages: plain C99.
 *
 * Tables come in by the Arrow C stream interface, predictions go out by the Arrow C data interface; options and results
 * are JSON in UTF-8. Every function that can fail returns a status: KORE_OK, or a code. kore_last_error() then has a
 * sentence for people, kore_last_reason() a short name that never changes, for programs. Both belong to the calling
 * thread and are valid until its next call. No exception leaves the library.
 *
 * A handle is a number in the disguise of a pointer: one that was never given out, or was freed, is KORE_BAD_HANDLE and
 * nothing worse. Handles may be used from several threads at once. A null pointer where something is needed is
 * KORE_INVALID_ARGUMENT. Where a function fails, its results are untouched, and nothing is left to be freed. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define KORE_API __attribute__((visibility("default")))
#else
#define KORE_API
#endif

/* Raised by every change after which a program that was compiled with this header must be compiled again. */
#define KORE_ABI_VERSION 1

/* As the Arrow project defines them. A guard of its own, so that any other header may define them first. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};
#endif

/* Codes keep their numbers. */
typedef enum kore_status {
  KORE_OK = 0,
  KORE_INVALID_ARGUMENT = 1,      /* an option is out of range or unknown, or a pointer is null */
  KORE_INVALID_DATA = 2,          /* the table holds something that no model can use */
  KORE_TOO_FEW_ROWS = 3,          /* fewer rows than the smallest model needs */
  KORE_OUT_OF_RANGE = 4,          /* a row that the model refuses to predict */
  KORE_NOT_POSITIVE_DEFINITE = 5, /* the normal equations have no unique solution */
  KORE_CORRUPT_FILE = 6,          /* bytes that are not, or no longer, a model */
  KORE_UNSUPPORTED_VERSION = 7,   /* a model of a newer version */
  KORE_IO = 8,                    /* the operating system refused to read or write */
  KORE_INTERRUPTED = 9,           /* the callback asked for it */
  KORE_NO_MEMORY = 10,
  KORE_BAD_HANDLE = 11,
  KORE_INTERNAL = 12              /* a defect of the library */
} kore_status;

/* A fitted model. */
typedef struct kore_model kore_model;

/* Called after every fit of a search, from the thread that called kore_fit, with the context that was given there; not
 * zero ends the search with KORE_INTERRUPTED. It must not call the library, and must return. */
typedef int (*kore_interrupt)(void* context);

/* "0.2.0". */
KORE_API const char* kore_version(void);
/* KORE_ABI_VERSION of the library. Compare it with that of the header before anything else. */
KORE_API int kore_abi_version(void);

/* Of the last call of this thread; empty after KORE_OK. Never null. */
KORE_API const char* kore_last_error(void);
KORE_API const char* kore_last_reason(void);
/* What to be careful about in the result of the last call of this thread that was kore_predict: levels that the model
 * does not know, rows far outside the training range. One sentence on each line; empty where there is nothing. */
KORE_API const char* kore_last_warnings(void);

/* Fits a table. The stream is read to its end and released, also where the fit fails. Rows without a target are left
 * out. `options` is a JSON object; only "target" is needed:
 *   target, weights, precision, group, exposure, offset    names of columns
 *   features, drop, categorical, linear  lists of names of columns; linear: straight lines in place of curves
 *   cyclic           an object of periods by column, such as {"hour": 24}: curves meet themselves; 0: told by the values
 *   max_resolutions  an object of whole numbers by column: the largest resolution of curves and surfaces
 *   family           "auto", "normal", "binomial", "poisson", "gamma", "negative_binomial" or "multinomial"
 *   positive         the value of the target that counts as yes
 *   profile          "default" or "paper"
 *   structure        "auto", "additive" or "pairwise"
 *   pairs            "auto", "all", "none" or a list of pairs of names
 *   scale            "auto", "identity", "sqrt" or "log"
 *   loss             "squared" or "robust"
 *   simple           true: the simplest model within one standard error of the best
 *   degree, max_order, max_terms, referee_folds, max_resolution_additive, max_resolution_pairwise, max_levels, max_columns,
 *   threads          integers
 *   origin           what sentences call the table
 * docs/options.md has ranges and defaults. Another key is an error. `interrupt` may be null. The model is the one that
 * the command fits to the same table in Parquet: a target of two values is yes or no, and one of three texts or more has
 * classes, each with a model of its own. Cost: one to two seconds at a few thousand rows. */
KORE_API kore_status kore_fit(struct ArrowArrayStream* table, const char* options, kore_interrupt interrupt,
                              void* context, kore_model** model);

/* Predicts the rows of a table. The stream is read to its end and released. Columns are found by name. `options` is
 * null or a JSON object:
 *   interval         a probability: adds the columns "lower" and "upper", which cover a new target with it; of yes or no
 *                    they cover the true probability
 *   band             a probability: adds "band_lower" and "band_upper", which cover the mean of the target with it
 *   outside          true: adds the column "outside", in how many columns a row lies outside the training range
 *   link             true: adds "eta", the sum of all effects and of a constant, on the scale of the fit, with the
 *                    logarithm of the exposure or the offset
 *   errors           true: adds "eta_error", the standard error of that sum. Errors of effects count as independent and
 *                    those of triples as nothing; not a number where the model holds none
 *   explain          true: adds "sum", "constant" and a column for every effect, as `kore explain`; the last ones add up
 *                    to the first
 *   terms            true: adds "eta", without exposures and offsets, and a column for every effect, by its own name
 *   raw              true: effects are those that were fitted, not the purified ones
 *   threads          an integer; 0: all cores
 * A model with exposures or an offset needs their column; without it predictions are those of one unit, or of an offset
 * of 0, and kore_last_warnings() says so. A model of classes has other columns: "class", the place of the most probable
 * class, and "probability:NAME" for each; only "outside" and "threads" go with it.
 * The result is a struct array of columns of doubles, "prediction" first. The caller releases schema and array. */
KORE_API kore_status kore_predict(const kore_model* model, struct ArrowArrayStream* rows, const char* options,
                                  struct ArrowSchema* schema, struct ArrowArray* array);

/* Residuals of the rows that a model was fitted to: target minus prediction ("residual"), and target minus the prediction
 * of the fit to all other rows, given its terms and penalties ("left_out"), in units of the target. Rows without a
 * target have none. `options` as in kore_fit: they name the target and what goes with it. Costs about one fit. */
KORE_API kore_status kore_residuals(const kore_model* model, struct ArrowArrayStream* table, const char* options,
                                    struct ArrowSchema* schema, struct ArrowArray* array);

/* The model of one class of a model of classes, which tells it from all others, as a model of its own. The names are the
 * member "classes" of kore_info. Effects, reports and residuals are those of one class. */
KORE_API kore_status kore_class(const kore_model* model, const char* name, kore_model** one);

/* What the model is, as the JSON of `kore info --json`, and as text. Freed by kore_free. */
KORE_API kore_status kore_info(const kore_model* model, char** json);
KORE_API kore_status kore_summary(const kore_model* model, char** text);
/* Every effect on a grid with its 95 % band: the JSON of `kore effects --format json`. Freed by kore_free. */
KORE_API kore_status kore_effects(const kore_model* model, char** json);

/* The model in another form (docs/export.md). `options` is a JSON object: "to" is "sql", "c", "onnx" or "json";
 * "dialect", "table", "keep", "name" and "float" (true or false) as the options of `kore export`. A model of classes is
 * written with all of them. */
KORE_API kore_status kore_export(const kore_model* model, const char* options, char** bytes, size_t* size);

/* Writes the report of a model on the rows of a table: one HTML file. `options` as in kore_fit; it names target,
 * weights, exposure and offset. */
KORE_API kore_status kore_report(const kore_model* model, struct ArrowArrayStream* table, const char* options,
                                 const char* path);

/* Model files are those of the command. */
KORE_API kore_status kore_save(const kore_model* model, const char* path);
KORE_API kore_status kore_load(const char* path, kore_model** model);
/* The bytes of such a file, for whoever keeps models elsewhere. Freed by kore_free. */
KORE_API kore_status kore_to_bytes(const kore_model* model, char** bytes, size_t* size);
KORE_API kore_status kore_from_bytes(const char* bytes, size_t size, kore_model** model);

/* A null pointer is allowed. Freeing a model twice is KORE_BAD_HANDLE. */
KORE_API kore_status kore_free_model(kore_model* model);
KORE_API void kore_free(void* memory);

#ifdef __cplusplus
}
#endif

#endif
