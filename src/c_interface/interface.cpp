#include <kore/kore.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>

#include "arrow/columns.hpp"
#include "arrow/stream.hpp"
#include "base/parallel.hpp"
#include "c_interface/requests.hpp"
#include "c_interface/training.hpp"
#include "kore/error.hpp"
#include "kore/version.hpp"
#include "story/effects_json.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"

namespace {

using kore::Error;
using kore::ErrorCode;
using kore::table::TableModel;

// What a thread is told about its last call.
thread_local std::string last_error;
thread_local std::string last_reason;

/// The models that callers hold, by number. Numbers are never used twice, so that a handle that was freed
/// stays bad.
class Handles {
 public:
  kore_model* add(TableModel model) {
    auto kept = std::make_shared<const TableModel>(std::move(model));
    const std::lock_guard lock(mutex_);
    const std::uintptr_t handle = ++last_ * step;
    models_.emplace(handle, std::move(kept));
    return reinterpret_cast<kore_model*>(handle);  // never followed
  }
  std::shared_ptr<const TableModel> find(const kore_model* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = models_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == models_.end() ? nullptr : found->second;
  }
  bool remove(const kore_model* handle) {
    const std::lock_guard lock(mutex_);
    return models_.erase(reinterpret_cast<std::uintptr_t>(handle)) > 0;
  }

 private:
  static constexpr std::uintptr_t step = 16;  // looks like an aligned pointer
  std::mutex mutex_;
  std::uintptr_t last_ = 0;
  std::map<std::uintptr_t, std::shared_ptr<const TableModel>> models_;
};

Handles& handles() {
  static Handles all;
  return all;
}

struct Interrupted {};
struct BadHandle {};

std::shared_ptr<const TableModel> model_of(const kore_model* handle) {
  if (handle == nullptr)
    throw Error(ErrorCode::invalid_argument, "null_pointer", "The model is a null pointer.");
  auto model = handles().find(handle);
  if (model == nullptr) throw BadHandle();
  return model;
}

template <class Pointer>
void require(Pointer* pointer, const char* what) {
  if (pointer == nullptr)
    throw Error(ErrorCode::invalid_argument, "null_pointer", "{what} is a null pointer.", {{"what", what}});
}

kore_status failed(kore_status status, const char* reason, const char* sentence) {
  try {
    last_reason = reason;
    last_error = sentence;
  } catch (...) {  // no memory for words; the status says enough
    last_reason.clear();
    last_error.clear();
  }
  return status;
}

kore_status status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
      return KORE_INVALID_ARGUMENT;
    case ErrorCode::invalid_data:
      return KORE_INVALID_DATA;
    case ErrorCode::too_few_rows:
      return KORE_TOO_FEW_ROWS;
    case ErrorCode::out_of_range:
      return KORE_OUT_OF_RANGE;
    case ErrorCode::not_positive_definite:
      return KORE_NOT_POSITIVE_DEFINITE;
    case ErrorCode::corrupt_file:
      return KORE_CORRUPT_FILE;
    case ErrorCode::unsupported_version:
      return KORE_UNSUPPORTED_VERSION;
    case ErrorCode::io:
      return KORE_IO;
  }
  return KORE_INTERNAL;
}

/// Runs a call; whatever it throws becomes a status and a sentence.
template <class Work>
kore_status guarded(const Work& work) noexcept {
  last_error.clear();
  last_reason.clear();
  try {
    work();
    return KORE_OK;
  } catch (const Error& error) {
    return failed(status_of(error.code()), error.reason().c_str(), error.what());
  } catch (const Interrupted&) {
    return failed(KORE_INTERRUPTED, "interrupted", "The fit was interrupted.");
  } catch (const BadHandle&) {
    return failed(KORE_BAD_HANDLE, "bad_handle",
                  "The handle is not that of a model, or the model was freed.");
  } catch (const std::bad_alloc&) {
    return failed(KORE_NO_MEMORY, "no_memory", "There is not enough memory for this.");
  } catch (const std::exception& error) {
    return failed(KORE_INTERNAL, "internal", error.what());
  } catch (...) {
    return failed(KORE_INTERNAL, "internal", "Something unknown went wrong.");
  }
}

/// A stream that was handed over is released, whatever happens before it is read.
class Stream {
 public:
  explicit Stream(ArrowArrayStream* stream) : stream_(stream) {}
  ~Stream() {
    if (stream_ != nullptr && stream_->release != nullptr) stream_->release(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  kore::table::Frame read() {
    require(stream_, "The table");
    if (stream_->release == nullptr)
      throw Error(ErrorCode::invalid_argument, "released_stream", "The stream of the table was released.");
    return kore::arrow::read_stream(*stream_);
  }

 private:
  ArrowArrayStream* stream_;
};

/// A copy that the caller frees; a zero byte follows it.
char* copied(std::string_view bytes) {
  char* copy = static_cast<char*>(std::malloc(bytes.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

std::vector<kore::arrow::NamedNumbers> predictions(const TableModel& fitted, const kore::table::Frame& frame,
                                                   const kore::c_interface::PredictRequest& request) {
  const kore::Model& model = fitted.model;
  const kore::table::EncodedFrame encoded = kore::table::encode(frame, fitted.encoding);
  std::vector<kore::arrow::NamedNumbers> columns{
      {"prediction", kore::predict(model, encoded.x, kore::resolve_threads(request.threads))}};
  const std::vector<double> predicted = columns.front().values;
  if (request.interval) {
    const kore::IntervalOffsets offsets = kore::interval_offsets(model, *request.interval);
    const std::vector<double> wider = kore::widening(model, encoded.x);
    std::vector<double> lower;
    std::vector<double> upper;
    for (std::size_t row = 0; row < predicted.size(); ++row) {
      const kore::TargetInterval interval = kore::interval_around(model, offsets, predicted[row], wider[row]);
      lower.push_back(interval.lower);
      upper.push_back(interval.upper);
    }
    columns.push_back({"lower", std::move(lower)});
    columns.push_back({"upper", std::move(upper)});
  }
  if (request.outside) {
    const std::vector<std::size_t> counts = kore::outside_count(model, encoded.x);
    columns.push_back({"outside", {counts.begin(), counts.end()}});
  }
  if (!request.terms) return columns;
  const kore::Decomposition shown = kore::decomposition(model);
  kore::Explanation explained = kore::explain(model, shown, encoded.x, request.threads);
  columns.push_back({"eta", std::move(explained.sums)});
  for (std::size_t t = 0; t < shown.terms.size(); ++t)
    columns.push_back({kore::story::term_name(shown, t), std::move(explained.contributions[t])});
  return columns;
}

std::string exported(const TableModel& fitted, const kore::c_interface::ExportRequest& request) {
  const kore::portable::Portable model = kore::portable::portable_of(fitted);
  if (request.to == "json") return kore::portable::to_json(model);
  if (request.to == "c") return kore::portable::to_c(model, request.name);
  if (request.to == "onnx") return kore::portable::to_onnx(model);
  return kore::portable::to_sql(model, request.sql);
}

}  // namespace

extern "C" {

const char* kore_version(void) { return kore::version; }
int kore_abi_version(void) { return KORE_ABI_VERSION; }
const char* kore_last_error(void) { return last_error.c_str(); }
const char* kore_last_reason(void) { return last_reason.c_str(); }

kore_status kore_fit(ArrowArrayStream* table, const char* options, kore_interrupt interrupt, void* context,
                     kore_model** model) {
  return guarded([&] {
    Stream stream(table);
    require(model, "The place of the model");
    kore::c_interface::FitRequest request = kore::c_interface::fit_request(options);
    const kore::table::Frame frame = stream.read();
    const auto ask = [&] {
      if (interrupt != nullptr && interrupt(context) != 0) throw Interrupted();
    };
    *model = handles().add(kore::c_interface::fit(frame, std::move(request), ask));
  });
}

kore_status kore_predict(const kore_model* model, ArrowArrayStream* rows, const char* options,
                         ArrowSchema* schema, ArrowArray* array) {
  return guarded([&] {
    Stream stream(rows);
    const auto fitted = model_of(model);
    require(schema, "The place of the schema");
    require(array, "The place of the array");
    const auto request = kore::c_interface::predict_request(options);
    kore::arrow::write_columns(predictions(*fitted, stream.read(), request), *schema, *array);
  });
}

kore_status kore_info(const kore_model* model, char** json) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(json, "The place of the JSON");
    *json = copied(kore::story::fit_json(*fitted).dump(2));
  });
}

kore_status kore_summary(const kore_model* model, char** text) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(text, "The place of the text");
    *text = copied(kore::story::describe(*fitted) + kore::story::note_lines(fitted->facts.notes));
  });
}

kore_status kore_effects(const kore_model* model, char** json) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(json, "The place of the JSON");
    *json = copied(kore::story::effects_json(*fitted, kore::decomposition(fitted->model), {}, false).dump(1));
  });
}

kore_status kore_export(const kore_model* model, const char* options, char** bytes, size_t* size) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(bytes, "The place of the bytes");
    require(size, "The place of the size");
    const std::string text = exported(*fitted, kore::c_interface::export_request(options));
    *bytes = copied(text);
    *size = text.size();
  });
}

kore_status kore_report(const kore_model* model, ArrowArrayStream* table, const char* options,
                        const char* path) {
  return guarded([&] {
    Stream stream(table);
    const auto fitted = model_of(model);
    require(path, "The path");
    const auto request = kore::c_interface::fit_request(options);
    kore::c_interface::write_report(*fitted, stream.read(), request, path);
  });
}

kore_status kore_save(const kore_model* model, const char* path) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(path, "The path");
    kore::table::save(*fitted, path);
  });
}

kore_status kore_load(const char* path, kore_model** model) {
  return guarded([&] {
    require(path, "The path");
    require(model, "The place of the model");
    *model = handles().add(kore::table::load_table_model(path));
  });
}

kore_status kore_to_bytes(const kore_model* model, char** bytes, size_t* size) {
  return guarded([&] {
    const auto fitted = model_of(model);
    require(bytes, "The place of the bytes");
    require(size, "The place of the size");
    const std::vector<std::byte> all = kore::table::to_bytes(*fitted);
    *bytes = copied({reinterpret_cast<const char*>(all.data()), all.size()});
    *size = all.size();
  });
}

kore_status kore_from_bytes(const char* bytes, size_t size, kore_model** model) {
  return guarded([&] {
    require(bytes, "The place of the bytes");
    require(model, "The place of the model");
    *model = handles().add(kore::table::table_model_from_bytes(std::as_bytes(std::span(bytes, size))));
  });
}

kore_status kore_free_model(kore_model* model) {
  return guarded([&] {
    if (model != nullptr && !handles().remove(model)) throw BadHandle();
  });
}

void kore_free(void* memory) { std::free(memory); }

}  // extern "C"
