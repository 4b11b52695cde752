#include <kore/kore.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <string>

#include "arrow/columns.hpp"
#include "arrow/stream.hpp"
#include "base/atomic_file.hpp"
#include "c_interface/handles.hpp"
#include "c_interface/predictions.hpp"
#include "c_interface/requests.hpp"
#include "c_interface/training.hpp"
#include "kore/error.hpp"
#include "kore/version.hpp"
#include "solve/blas.hpp"
#include "story/classes.hpp"
#include "story/effects_json.hpp"
#include "story/json.hpp"
#include "story/summary.hpp"

namespace {

using kore::Error;
using kore::ErrorCode;
using kore::c_interface::AnyModel;
using kore::c_interface::BadHandle;
using kore::c_interface::Handles;
using kore::c_interface::one_model;
using kore::c_interface::require;
using kore::table::ClassModel;
using kore::table::TableModel;

// What a thread is told about its last call.
thread_local std::string last_error;
thread_local std::string last_reason;
thread_local std::string last_warnings;

Handles& handles() {
  static Handles all;
  return all;
}

struct Interrupted {};

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
  last_warnings.clear();
  try {
    const kore::OneBlasThread one_thread;
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

/// One sentence on each line.
std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "\n") + sentence;
  return text;
}

AnyModel model_of_bytes(std::span<const std::byte> bytes) {
  if (kore::table::holds_classes(bytes)) return kore::table::class_model_from_bytes(bytes);
  return kore::table::table_model_from_bytes(bytes);
}

std::string exported(const AnyModel& fitted, const kore::c_interface::ExportRequest& request) {
  const kore::portable::Portable model =
      std::visit([](const auto& one) { return kore::portable::portable_of(one); }, fitted);
  if (request.to == "json") return kore::portable::to_json(model);
  if (request.to == "c") return kore::portable::to_c(model, request.name);
  if (request.to == "onnx")
    return kore::portable::to_onnx(
        model, request.single ? kore::portable::OnnxNumbers::single : kore::portable::OnnxNumbers::real);
  return kore::portable::to_sql(model, request.sql);
}

}  // namespace

extern "C" {

const char* kore_version(void) { return kore::version; }
int kore_abi_version(void) { return KORE_ABI_VERSION; }
const char* kore_last_error(void) { return last_error.c_str(); }
const char* kore_last_reason(void) { return last_reason.c_str(); }
const char* kore_last_warnings(void) { return last_warnings.c_str(); }

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
    const auto fitted = handles().find(model);
    require(schema, "The place of the schema");
    require(array, "The place of the array");
    const auto request = kore::c_interface::predict_request(options);
    const auto found = kore::c_interface::predictions(*fitted, stream.read(), request);
    std::string warnings = joined(found.warnings);
    kore::arrow::write_columns(found.columns, *schema, *array);
    last_warnings = std::move(warnings);
  });
}

kore_status kore_residuals(const kore_model* model, ArrowArrayStream* table, const char* options,
                           ArrowSchema* schema, ArrowArray* array) {
  return guarded([&] {
    Stream stream(table);
    const auto fitted = handles().find(model);
    require(schema, "The place of the schema");
    require(array, "The place of the array");
    const auto request = kore::c_interface::fit_request(options);
    auto found = kore::c_interface::residuals(one_model(*fitted), stream.read(), request);
    kore::arrow::write_columns(
        {{"residual", std::move(found.fitted)}, {"left_out", std::move(found.left_out)}}, *schema, *array);
  });
}

kore_status kore_class(const kore_model* model, const char* name, kore_model** one) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(name, "The name of the class");
    require(one, "The place of the model");
    const auto* classes = std::get_if<ClassModel>(&*fitted);
    if (classes == nullptr)
      throw Error(ErrorCode::invalid_argument, "no_classes", "The model does not tell classes apart.");
    *one = handles().add(kore::table::model_of_class(*classes, name));
  });
}

kore_status kore_info(const kore_model* model, char** json) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(json, "The place of the JSON");
    const auto* classes = std::get_if<ClassModel>(&*fitted);
    *json = copied((classes != nullptr ? kore::story::class_json(*classes)
                                       : kore::story::fit_json(std::get<TableModel>(*fitted)))
                       .dump(2));
  });
}

kore_status kore_summary(const kore_model* model, char** text) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(text, "The place of the text");
    const auto* classes = std::get_if<ClassModel>(&*fitted);
    const TableModel& first = classes != nullptr ? classes->models.front() : std::get<TableModel>(*fitted);
    *text = copied((classes != nullptr ? kore::story::describe(*classes) : kore::story::describe(first)) +
                   kore::story::note_lines(first.facts.notes));
  });
}

kore_status kore_effects(const kore_model* model, char** json) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(json, "The place of the JSON");
    const TableModel& one = one_model(*fitted);
    *json = copied(kore::story::effects_json(one, kore::decomposition(one.model), {}, false).dump(1));
  });
}

kore_status kore_export(const kore_model* model, const char* options, char** bytes, size_t* size) {
  return guarded([&] {
    const auto fitted = handles().find(model);
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
    const auto fitted = handles().find(model);
    require(path, "The path");
    const auto request = kore::c_interface::fit_request(options);
    kore::c_interface::write_report(one_model(*fitted), stream.read(), request, path);
  });
}

kore_status kore_save(const kore_model* model, const char* path) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(path, "The path");
    std::visit([&](const auto& any) { kore::table::save(any, path); }, *fitted);
  });
}

kore_status kore_load(const char* path, kore_model** model) {
  return guarded([&] {
    require(path, "The path");
    require(model, "The place of the model");
    if (kore::table::holds_classes(kore::read_file(path)))
      *model = handles().add(kore::table::load_class_model(path));
    else
      *model = handles().add(kore::table::load_table_model(path));
  });
}

kore_status kore_to_bytes(const kore_model* model, char** bytes, size_t* size) {
  return guarded([&] {
    const auto fitted = handles().find(model);
    require(bytes, "The place of the bytes");
    require(size, "The place of the size");
    const std::vector<std::byte> all =
        std::visit([](const auto& any) { return kore::table::to_bytes(any); }, *fitted);
    *bytes = copied({reinterpret_cast<const char*>(all.data()), all.size()});
    *size = all.size();
  });
}

kore_status kore_from_bytes(const char* bytes, size_t size, kore_model** model) {
  return guarded([&] {
    require(bytes, "The place of the bytes");
    require(model, "The place of the model");
    *model = handles().add(model_of_bytes(std::as_bytes(std::span(bytes, size))));
  });
}

kore_status kore_free_model(kore_model* model) {
  return guarded([&] {
    if (model != nullptr && !handles().remove(model)) throw BadHandle();
  });
}

void kore_free(void* memory) { std::free(memory); }

}  // extern "C"
