/* The C interface as C sees it: compiled as C99, with tables made by hand. Prints what is wrong and returns how many
   statements were. */
#include "made_table.h"

static int count_calls(void *context)
{
  ++*(int *)context;
  return 0;
}

static int stop_at_once(void *context)
{
  (void)context;
  return 1;
}

static kore_model *fitted(void)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  kore_model *model = NULL;
  int calls = 0;
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"threads\": 1}", count_calls, &calls, &model) == KORE_OK);
  EXPECT(model != NULL);
  EXPECT(calls > 0);
  EXPECT(strcmp(kore_last_error(), "") == 0);
  return model;
}

static void predictions_are_near_the_truth(const kore_model *model, double *predicted)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  const double *lower;
  int row;
  EXPECT(kore_predict(model, &stream, "{\"interval\": 0.9, \"terms\": true}", &schema, &array) == KORE_OK);
  EXPECT(strcmp(schema.children[0]->name, "prediction") == 0);
  EXPECT(strcmp(schema.children[1]->name, "lower") == 0);
  EXPECT(strcmp(schema.children[3]->name, "eta") == 0);
  EXPECT(array.length == ROWS && array.n_children >= 5);
  memcpy(predicted, array.children[0]->buffers[1], ROWS * sizeof *predicted);
  lower = array.children[1]->buffers[1];
  for (row = 0; row < ROWS; ++row) {
    EXPECT(fabs(predicted[row] - sin(6 * x[row])) < 0.1);
    EXPECT(lower[row] <= predicted[row]);
  }
  schema.release(&schema);
  array.release(&array);
}

static void sums_and_errors_are_on_the_scale_of_the_fit(const kore_model *model, const double *predicted)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  const double *column[7];
  int c;
  int row;
  EXPECT(kore_predict(model, &stream, "{\"band\": 0.95, \"link\": true, \"errors\": true, \"explain\": true}", &schema,
                      &array) == KORE_OK);
  EXPECT(array.n_children >= 8);
  for (c = 0; c < 7; ++c) column[c] = array.children[c]->buffers[1];
  EXPECT(strcmp(schema.children[1]->name, "band_lower") == 0 && strcmp(schema.children[3]->name, "eta") == 0);
  EXPECT(strcmp(schema.children[4]->name, "eta_error") == 0 && strcmp(schema.children[5]->name, "sum") == 0);
  EXPECT(strcmp(schema.children[6]->name, "constant") == 0);
  for (row = 0; row < ROWS; ++row) {
    double sum = column[6][row];
    for (c = 7; c < array.n_children; ++c) sum += ((const double *)array.children[c]->buffers[1])[row];
    EXPECT(fabs(sum - column[5][row]) < 1e-9);
    EXPECT(column[3][row] == column[5][row]);
    EXPECT(column[4][row] > 0 && column[4][row] < 0.1);
    EXPECT(column[1][row] <= predicted[row] && predicted[row] <= column[2][row]);
  }
  schema.release(&schema);
  array.release(&array);
}

static void residuals_are_targets_minus_predictions(const kore_model *model, const double *predicted)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  const double *residual;
  const double *left_out;
  double size = 0;
  double left_out_size = 0;
  int row;
  EXPECT(kore_residuals(model, &stream, "{\"target\": \"y\", \"threads\": 1}", &schema, &array) == KORE_OK);
  EXPECT(array.length == ROWS && array.n_children == 2);
  residual = array.children[0]->buffers[1];
  left_out = array.children[1]->buffers[1];
  for (row = 0; row < ROWS; ++row) {
    EXPECT(residual[row] == y[row] - predicted[row]);
    size += residual[row] * residual[row];
    left_out_size += left_out[row] * left_out[row];
  }
  EXPECT(size < left_out_size && left_out_size < 2 * size);
  schema.release(&schema);
  array.release(&array);
}

static void models_are_the_same_after_a_journey(const kore_model *model, const double *predicted)
{
  kore_model *again = NULL;
  double second[ROWS];
  char *bytes = NULL;
  size_t size = 0;
  EXPECT(kore_to_bytes(model, &bytes, &size) == KORE_OK);
  EXPECT(kore_from_bytes(bytes, size, &again) == KORE_OK);
  predictions_are_near_the_truth(again, second);
  EXPECT(memcmp(second, predicted, sizeof second) == 0);
  bytes[size / 2] ^= 1;
  {
    kore_model *damaged = NULL;
    EXPECT(kore_from_bytes(bytes, size, &damaged) == KORE_CORRUPT_FILE && damaged == NULL);
    EXPECT(kore_from_bytes(bytes, 3, &damaged) == KORE_CORRUPT_FILE && damaged == NULL);
  }
  kore_free(bytes);
  EXPECT(kore_free_model(again) == KORE_OK);
}

static void texts_tell_of_the_model(const kore_model *model)
{
  char *text = NULL;
  size_t size = 0;
  EXPECT(kore_info(model, &text) == KORE_OK && text[0] == '{' && strstr(text, "\"accuracy\"") != NULL);
  kore_free(text);
  EXPECT(kore_summary(model, &text) == KORE_OK && strstr(text, "Accuracy") != NULL);
  kore_free(text);
  EXPECT(kore_effects(model, &text) == KORE_OK && strstr(text, "\"terms\"") != NULL);
  kore_free(text);
  EXPECT(kore_export(model, "{\"to\": \"sql\", \"table\": \"t\"}", &text, &size) == KORE_OK);
  EXPECT(strlen(text) == size && strstr(text, "AS prediction") != NULL);
  kore_free(text);
}

static void curves_meet_themselves(void)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  kore_model *model = NULL;
  double before[ROWS], whole = 0;
  static const char *const refused[] = {
      "{\"target\": \"y\", \"cyclic\": {\"x\": -24}}",       "{\"target\": \"y\", \"cyclic\": {\"x\": 0}}",
      "{\"target\": \"y\", \"cyclic\": {\"x\": true}}",      "{\"target\": \"y\", \"cyclic\": [\"x\"]}",
      "{\"target\": \"y\", \"max_resolutions\": {\"x\": 0}}", "{\"target\": \"y\", \"max_resolutions\": {\"x\": 2.5}}",
      "{\"target\": \"y\", \"max_resolutions\": {\"x\": 4294967301}}"};
  size_t i;
  int row;
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"cyclic\": {\"x\": 2}, \"max_resolutions\": {\"x\": 6}}", NULL, NULL,
                  &model) == KORE_OK);
  stream = stream_of(&table);
  EXPECT(kore_predict(model, &stream, NULL, &schema, &array) == KORE_OK);
  memcpy(before, array.children[0]->buffers[1], sizeof before);
  schema.release(&schema);
  array.release(&array);
  for (row = 0; row < ROWS; ++row) x[row] += 2 * (row % 7 - 3);
  stream = stream_of(&table);
  EXPECT(kore_predict(model, &stream, "{\"outside\": true}", &schema, &array) == KORE_OK);
  for (row = 0; row < ROWS; ++row) {
    EXPECT(fabs(((const double *)array.children[0]->buffers[1])[row] - before[row]) < 1e-9);
    EXPECT(((const double *)array.children[array.n_children - 1]->buffers[1])[row] == 0);
    whole += fabs(before[row]);
    x[row] -= 2 * (row % 7 - 3);
  }
  EXPECT(whole > 1);
  schema.release(&schema);
  array.release(&array);
  EXPECT(kore_free_model(model) == KORE_OK);
  model = NULL;
  for (i = 0; i < sizeof refused / sizeof *refused; ++i) {
    stream = stream_of(&table);
    EXPECT(kore_fit(&stream, refused[i], NULL, NULL, &model) == KORE_INVALID_ARGUMENT && model == NULL);
  }
}

static void bad_calls_have_codes_and_sentences(kore_model *model)
{
  struct table table;
  struct ArrowArrayStream stream = stream_of(&table);
  struct ArrowSchema schema;
  struct ArrowArray array;
  kore_model *none = NULL;
  char *text = NULL;
  const int before = released;
  EXPECT(kore_fit(NULL, "{\"target\": \"y\"}", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  EXPECT(strcmp(kore_last_reason(), "null_pointer") == 0 && strstr(kore_last_error(), "null pointer") != NULL);
  EXPECT(kore_fit(&stream, NULL, NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  EXPECT(released == before + 1);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"y\"}", NULL, NULL, NULL) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "[1, ", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"z\"}", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"tarquet\": 1}", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  EXPECT(strstr(kore_last_error(), "tarquet") != NULL);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"degree\": 99}", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"y\"}", stop_at_once, NULL, &none) == KORE_INTERRUPTED);
  EXPECT(released == before + 7);
  EXPECT(none == NULL);
  stream = stream_of(&table);
  EXPECT(kore_predict(NULL, &stream, NULL, &schema, &array) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_predict((const kore_model *)&table, &stream, NULL, &schema, &array) == KORE_BAD_HANDLE);
  stream = stream_of(&table);
  EXPECT(kore_predict(model, &stream, "{\"interval\": 2}", &schema, &array) == KORE_INVALID_ARGUMENT);
  EXPECT(kore_predict(model, NULL, NULL, &schema, &array) == KORE_INVALID_ARGUMENT);
  EXPECT(kore_info(model, NULL) == KORE_INVALID_ARGUMENT);
  EXPECT(kore_class(model, "a", &none) == KORE_INVALID_ARGUMENT && strcmp(kore_last_reason(), "no_classes") == 0);
  EXPECT(kore_class(model, NULL, &none) == KORE_INVALID_ARGUMENT);
  EXPECT(kore_class((const kore_model *)&table, "a", &none) == KORE_BAD_HANDLE && none == NULL);
  EXPECT(kore_residuals(model, NULL, "{\"target\": \"y\"}", &schema, &array) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_residuals(model, &stream, NULL, &schema, &array) == KORE_INVALID_ARGUMENT);
  stream = stream_of(&table);
  EXPECT(kore_fit(&stream, "{\"target\": \"y\", \"family\": \"normall\"}", NULL, NULL, &none) == KORE_INVALID_ARGUMENT);
  EXPECT(strstr(kore_last_error(), "normall") != NULL);
  EXPECT(kore_load("/no/such/model.kore", &none) == KORE_IO && none == NULL);
  EXPECT(kore_free_model(NULL) == KORE_OK);
  EXPECT(kore_free_model(model) == KORE_OK);
  EXPECT(kore_free_model(model) == KORE_BAD_HANDLE);
  EXPECT(kore_info(model, &text) == KORE_BAD_HANDLE && text == NULL);
  kore_free(NULL);
}

int main(void)
{
  double predicted[ROWS];
  kore_model *model;
  fill_table();
  EXPECT(kore_abi_version() == KORE_ABI_VERSION);
  EXPECT(strlen(kore_version()) > 0);
  model = fitted();
  predictions_are_near_the_truth(model, predicted);
  sums_and_errors_are_on_the_scale_of_the_fit(model, predicted);
  residuals_are_targets_minus_predictions(model, predicted);
  models_are_the_same_after_a_journey(model, predicted);
  texts_tell_of_the_model(model);
  bad_calls_have_codes_and_sentences(model);
  curves_meet_themselves();
  return wrong;
}
