/* Callers that do everything wrong: null pointers in every place, handles that are none, streams that fail or lie, options
   that are no options, fits that are interrupted at every step, and models that are freed while others use them. What must
   not happen is seen by the sanitizers and by valgrind; what must happen is stated here. */
#include <pthread.h>

#include "made_table.h"

static kore_model *fitted_model(void)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  kore_model *model = NULL;
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"threads\": 1}", NULL, NULL, &model) == KORE_OK);
  return model;
}

static double first_prediction(const kore_model *model)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  double first;
  if (kore_predict(model, &stream, NULL, &schema, &array) != KORE_OK) return -1e9;
  first = ((const double *)array.children[0]->buffers[1])[0];
  schema.release(&schema);
  array.release(&array);
  return first;
}

static struct ArrowArrayStream *fresh(struct table *table, struct ArrowArrayStream *stream)
{
  *stream = stream_of(table);
  return stream;
}

static void null_pointers_are_refused_in_every_place(const kore_model *model)
{
  struct table table;
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  kore_model *made = NULL;
  char *text = NULL;
  size_t size = 77;
  const kore_status refused = KORE_INVALID_ARGUMENT;
  EXPECT(kore_fit(NULL, NULL, NULL, NULL, NULL) == refused);
  EXPECT(kore_fit(fresh(&table, &stream), NULL, NULL, NULL, &made) == refused);
  EXPECT(kore_fit(fresh(&table, &stream), "{\"target\": \"y\"}", NULL, NULL, NULL) == refused);
  EXPECT(kore_predict(NULL, fresh(&table, &stream), NULL, &schema, &array) == refused);
  EXPECT(kore_predict(model, NULL, NULL, &schema, &array) == refused);
  EXPECT(kore_predict(model, fresh(&table, &stream), NULL, NULL, &array) == refused);
  EXPECT(kore_predict(model, fresh(&table, &stream), NULL, &schema, NULL) == refused);
  EXPECT(kore_residuals(NULL, fresh(&table, &stream), "{\"target\": \"y\"}", &schema, &array) == refused);
  EXPECT(kore_residuals(model, NULL, "{\"target\": \"y\"}", &schema, &array) == refused);
  EXPECT(kore_residuals(model, fresh(&table, &stream), NULL, &schema, &array) == refused);
  EXPECT(kore_residuals(model, fresh(&table, &stream), "{\"target\": \"y\"}", NULL, &array) == refused);
  EXPECT(kore_residuals(model, fresh(&table, &stream), "{\"target\": \"y\"}", &schema, NULL) == refused);
  EXPECT(kore_class(NULL, "a", &made) == refused);
  EXPECT(kore_class(model, NULL, &made) == refused);
  EXPECT(kore_class(model, "a", NULL) == refused);
  EXPECT(kore_info(NULL, &text) == refused);
  EXPECT(kore_info(model, NULL) == refused);
  EXPECT(kore_summary(NULL, &text) == refused);
  EXPECT(kore_summary(model, NULL) == refused);
  EXPECT(kore_effects(NULL, &text) == refused);
  EXPECT(kore_effects(model, NULL) == refused);
  EXPECT(kore_export(NULL, "{\"to\": \"c\"}", &text, &size) == refused);
  EXPECT(kore_export(model, NULL, &text, &size) == refused);
  EXPECT(kore_export(model, "{\"to\": \"c\"}", NULL, &size) == refused);
  EXPECT(kore_export(model, "{\"to\": \"c\"}", &text, NULL) == refused);
  EXPECT(kore_report(NULL, fresh(&table, &stream), "{\"target\": \"y\"}", "report.html") == refused);
  EXPECT(kore_report(model, NULL, "{\"target\": \"y\"}", "report.html") == refused);
  EXPECT(kore_report(model, fresh(&table, &stream), NULL, "report.html") == refused);
  EXPECT(kore_report(model, fresh(&table, &stream), "{\"target\": \"y\"}", NULL) == refused);
  EXPECT(kore_save(NULL, "model.kore") == refused);
  EXPECT(kore_save(model, NULL) == refused);
  EXPECT(kore_load(NULL, &made) == refused);
  EXPECT(kore_load("model.kore", NULL) == refused);
  EXPECT(kore_to_bytes(NULL, &text, &size) == refused);
  EXPECT(kore_to_bytes(model, NULL, &size) == refused);
  EXPECT(kore_to_bytes(model, &text, NULL) == refused);
  EXPECT(kore_from_bytes(NULL, 3, &made) == refused);
  EXPECT(kore_from_bytes("abc", 3, NULL) == refused);
  EXPECT(made == NULL && text == NULL && size == 77);
}

static void handles_that_are_none_are_seen(void)
{
  struct table table;
  struct ArrowSchema schema;
  struct ArrowArray array;
  char on_the_stack[64] = "no model";
  const kore_model *bad[6];
  int b;
  bad[0] = (const kore_model *)(uintptr_t)1;
  bad[1] = (const kore_model *)(uintptr_t)UINTPTR_MAX;
  bad[2] = (const kore_model *)on_the_stack;
  bad[3] = (const kore_model *)kore_version();
  bad[4] = fitted_model();
  EXPECT(kore_free_model((kore_model *)(uintptr_t)bad[4]) == KORE_OK);
  bad[5] = (const kore_model *)((uintptr_t)bad[4] + 16);
  for (b = 0; b < 6; ++b) {
    struct ArrowArrayStream stream = stream_of(&table);
    kore_model *made = NULL;
    char *text = NULL;
    size_t size = 0;
    EXPECT(kore_predict(bad[b], &stream, NULL, &schema, &array) == KORE_BAD_HANDLE && stream.release == NULL);
    stream = stream_of(&table);
    EXPECT(kore_residuals(bad[b], &stream, "{\"target\": \"y\"}", &schema, &array) == KORE_BAD_HANDLE);
    stream = stream_of(&table);
    EXPECT(kore_report(bad[b], &stream, "{\"target\": \"y\"}", "report.html") == KORE_BAD_HANDLE);
    EXPECT(stream.release == NULL);
    EXPECT(kore_class(bad[b], "a", &made) == KORE_BAD_HANDLE);
    EXPECT(kore_info(bad[b], &text) == KORE_BAD_HANDLE);
    EXPECT(kore_summary(bad[b], &text) == KORE_BAD_HANDLE);
    EXPECT(kore_effects(bad[b], &text) == KORE_BAD_HANDLE);
    EXPECT(kore_export(bad[b], "{\"to\": \"c\"}", &text, &size) == KORE_BAD_HANDLE);
    EXPECT(kore_save(bad[b], "never_written.kore") == KORE_BAD_HANDLE);
    EXPECT(kore_to_bytes(bad[b], &text, &size) == KORE_BAD_HANDLE);
    EXPECT(kore_free_model((kore_model *)(uintptr_t)bad[b]) == KORE_BAD_HANDLE);
    EXPECT(strcmp(kore_last_reason(), "bad_handle") == 0);
    EXPECT(made == NULL && text == NULL);
  }
}

static void texts_that_are_no_options_are_refused(const kore_model *model)
{
  static char deep[20001];
  static const char *const texts[] = {
      "", " ", "null", "3", "\"y\"", "[]", "{", "{}", "{\"target\"}", "{\"target\": }", "{\"target\": \"y\"} x",
      "{\"target\": 3}", "{\"target\": null}", "{\"target\": [\"y\"]}", "{\"target\": \"y\", \"degree\": \"3\"}",
      "{\"target\": \"y\", \"degree\": 3.5}", "{\"target\": \"y\", \"degree\": 1e300}",
      "{\"target\": \"y\", \"degree\": -99999999999999999999}", "{\"target\": \"y\", \"threads\": 4000000000}",
      "{\"target\": \"y\", \"drop\": \"x\", \"drop\": [3]}", "{\"target\": \"\xff\xfe\"}",
      "{\"target\": \"y\", \"simple\": 1}", "{\"target\": \"y\", \"pairs\": [[\"x\"]]}"};
  struct table table;
  struct ArrowSchema schema;
  struct ArrowArray array;
  kore_model *made = NULL;
  char *text = NULL;
  size_t size = 0;
  size_t t;
  memset(deep, '[', sizeof deep - 1);
  for (t = 0; t <= sizeof texts / sizeof *texts; ++t) {
    const char *options = t < sizeof texts / sizeof *texts ? texts[t] : deep;
    struct ArrowArrayStream stream = stream_of(&table);
    EXPECT(kore_fit(&stream, options, NULL, NULL, &made) == KORE_INVALID_ARGUMENT);
    EXPECT(strlen(kore_last_error()) > 0 && strlen(kore_last_reason()) > 0);
    EXPECT(kore_export(model, options, &text, &size) == KORE_INVALID_ARGUMENT);
    if (strcmp(options, "{}") == 0) continue; /* asks for nothing more than predictions */
    stream = stream_of(&table);
    EXPECT(kore_predict(model, &stream, options, &schema, &array) == KORE_INVALID_ARGUMENT);
  }
  EXPECT(made == NULL && text == NULL);
}

/* Streams that lie. */
static int failing_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  (void)stream;
  (void)out;
  return 5;
}
static const char *no_reason(struct ArrowArrayStream *stream)
{
  (void)stream;
  return NULL;
}
static int failing_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  struct table *table = stream->private_data;
  if (table->given) return 5;
  return get_next(stream, out);
}
static int column_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  get_schema(stream, out);
  out->format = "g";
  return 0;
}
static int nameless_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
  get_schema(stream, out);
  out->children[0]->name = NULL;
  out->children[1]->format = "no such type";
  return 0;
}
static int lacking_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  const int status = get_next(stream, out);
  if (out->release != NULL) out->n_children = 1;
  return status;
}
static int negative_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  const int status = get_next(stream, out);
  if (out->release != NULL) out->length = -5;
  return status;
}
static int short_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  const int status = get_next(stream, out);
  if (out->release != NULL) out->children[0]->length = 3;
  return status;
}
static int few_buffers_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
  const int status = get_next(stream, out);
  if (out->release != NULL) out->children[1]->n_buffers = 1;
  return status;
}

static void streams_that_lie_are_refused(const kore_model *model)
{
  struct table table;
  struct ArrowArrayStream streams[9];
  kore_model *made = NULL;
  int s;
  for (s = 0; s < 9; ++s) streams[s] = stream_of(&table);
  streams[0].get_schema = failing_schema;
  streams[1].get_schema = failing_schema;
  streams[1].get_last_error = no_reason;
  streams[2].get_next = failing_next;
  streams[3].get_schema = column_schema;
  streams[4].get_schema = nameless_schema;
  streams[5].get_next = lacking_next;
  streams[6].get_next = negative_next;
  streams[7].get_next = short_next;
  streams[8].get_next = few_buffers_next;
  for (s = 0; s < 9; ++s) {
    struct ArrowArrayStream again = streams[s];
    struct ArrowSchema schema;
    struct ArrowArray array;
    const int before = released;
    table.given = 0;
    EXPECT(kore_fit(&streams[s], "{\"target\": \"y\"}", NULL, NULL, &made) != KORE_OK && made == NULL);
    EXPECT(strlen(kore_last_error()) > 0 && released == before + 1);
    table.given = 0;
    EXPECT(kore_predict(model, &again, NULL, &schema, &array) != KORE_OK);
    EXPECT(released == before + 2);
  }
  memset(&streams[0], 0, sizeof streams[0]); /* released before */
  EXPECT(kore_fit(&streams[0], "{\"target\": \"y\"}", NULL, NULL, &made) != KORE_OK && made == NULL);
}

struct patience {
  int calls, most;
};
static int lose_patience(void *context)
{
  struct patience *patience = context;
  return ++patience->calls >= patience->most;
}

/* On one thread, so that every fit asks as often. On several, only those of the calling thread ask. */
static void fits_can_be_interrupted_at_every_step(double expected)
{
  const char *const options = "{\"target\": \"y\", \"threads\": 1}";
  struct patience all = {0, 1 << 30};
  struct patience patience = {0, 1};
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  kore_model *model = NULL;
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"threads\": 4}", lose_patience, &patience, &model) == KORE_INTERRUPTED);
  EXPECT(model == NULL && patience.calls >= 1 && stream.release == NULL);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, options, lose_patience, &all, &model) == KORE_OK);
  EXPECT(kore_free_model(model) == KORE_OK);
  model = NULL;
  for (patience.most = 1; patience.most <= all.calls; patience.most += 1 + all.calls / 12) {
    patience.calls = 0;
    stream = stream_of(&table);
    EXPECT(kore_fit(&stream, options, lose_patience, &patience, &model) == KORE_INTERRUPTED);
    EXPECT(model == NULL && patience.calls == patience.most && stream.release == NULL);
    EXPECT(strcmp(kore_last_reason(), "interrupted") == 0);
  }
  model = fitted_model(); /* the next fit is as good as ever */
  EXPECT(first_prediction(model) == expected);
  EXPECT(kore_free_model(model) == KORE_OK);
}

static double shared_expectation;
static void *predict_often(void *model)
{
  int call;
  long wrong_ones = 0;
  for (call = 0; call < 50; ++call) {
    const double first = first_prediction(model);
    wrong_ones += first != shared_expectation && first != -1e9; /* freed meanwhile */
  }
  return (void *)wrong_ones;
}

static void models_may_be_freed_while_others_use_them(double expected)
{
  pthread_t threads[4];
  kore_model *model = fitted_model();
  int t;
  shared_expectation = expected;
  for (t = 0; t < 4; ++t) EXPECT(pthread_create(&threads[t], NULL, predict_often, model) == 0);
  EXPECT(first_prediction(model) == expected);
  EXPECT(kore_free_model(model) == KORE_OK);
  for (t = 0; t < 4; ++t) {
    void *wrong_ones = NULL;
    pthread_join(threads[t], &wrong_ones);
    EXPECT(wrong_ones == NULL);
  }
}

/* The checksum of envelopes before they had XXH3, which are still read: FNV-1a over eight bytes at a time. */
static void seal_again(char *bytes, size_t size)
{
  const size_t end = size - 8;
  size_t at = 0;
  uint64_t hash = 0xcbf29ce484222325U;
  bytes[5] = 0; /* which checksum it is */
  while (at < end) {
    uint64_t word = (unsigned char)bytes[at];
    if (at + 8 <= end) memcpy(&word, bytes + at, 8);
    at += at + 8 <= end ? 8 : 1;
    hash = (hash ^ word) * 0x100000001b3U;
    hash ^= hash >> 29;
  }
  memcpy(bytes + end, &hash, 8);
}

/* Where the content of the section "function" begins: one byte, the intercept, then a count and the coefficients. */
static char *function_of(char *bytes, size_t size)
{
  static const char name[] = "\x08\0\0\0\0\0\0\0function";
  size_t at;
  for (at = 0; at + 64 < size; ++at)
    if (memcmp(bytes + at, name, sizeof name - 1) == 0) return bytes + at + sizeof name - 1 + 8;
  return NULL;
}

/* Bytes whose envelope is whole and whose content lies. */
static void models_that_lie_are_refused(const kore_model *model)
{
  static const struct {
    size_t place;
    const char *field;
  } lies[] = {{1, "intercept"}, {1 + 8 + 8, "coefficients"}};
  const double infinite = HUGE_VAL;
  kore_model *again = NULL;
  char *bytes = NULL;
  size_t size = 0, l;
  EXPECT(kore_to_bytes(model, &bytes, &size) == KORE_OK);
  seal_again(bytes, size);
  EXPECT(kore_from_bytes(bytes, size, &again) == KORE_OK);
  EXPECT(kore_free_model(again) == KORE_OK);
  for (l = 0; l < sizeof lies / sizeof *lies; ++l) {
    char *place = function_of(bytes, size) + lies[l].place;
    char truth[8];
    again = NULL;
    memcpy(truth, place, 8);
    memcpy(place, &infinite, 8);
    seal_again(bytes, size);
    EXPECT(kore_from_bytes(bytes, size, &again) == KORE_CORRUPT_FILE && again == NULL);
    EXPECT(strstr(kore_last_error(), lies[l].field) != NULL);
    memcpy(place, truth, 8);
  }
  kore_free(bytes);
}

int main(void)
{
  kore_model *model;
  double expected;
  fill_table();
  model = fitted_model();
  expected = first_prediction(model);
  EXPECT(fabs(expected - sin(6 * x[0])) < 0.1);
  null_pointers_are_refused_in_every_place(model);
  handles_that_are_none_are_seen();
  texts_that_are_no_options_are_refused(model);
  streams_that_lie_are_refused(model);
  models_that_lie_are_refused(model);
  fits_can_be_interrupted_at_every_step(expected);
  models_may_be_freed_while_others_use_them(expected);
  EXPECT(first_prediction(model) == expected);
  EXPECT(kore_free_model(model) == KORE_OK);
  return wrong;
}
