// Graphs: captured operations that are launched again as a whole.
#include "calls/face.h"

namespace gpumark::sim {

int call_capture_begin(Handle handle, int mode) {
  return with_stream(handle, [&](Stream& stream) {
    if (mode < 0 || mode > 2) return static_cast<int>(kInvalidValue);
    return stream.begin_capture(static_cast<Stream::CaptureMode>(mode));
  });
}

int call_capture_end(Handle handle, Handle* graph_handle) {
  return with_stream(handle, [&](Stream& stream) {
    if (!graph_handle) return static_cast<int>(kInvalidValue);
    std::shared_ptr<Graph> graph;
    const int code = stream.end_capture(&graph);
    *graph_handle = graph ? handles<Graph>().add(graph) : nullptr;
    return code;
  });
}

int call_graph_destroy(Handle handle) {
  if (const int code = driver_state()) return code;
  return handles<Graph>().remove(handle) ? kOk : kInvalidValue;
}

int call_graph_instantiate(Handle* executable, Handle handle, unsigned long long flags) {
  return with_device([&](Device&) {
    const auto graph = handles<Graph>().find(handle);
    if (!executable || !graph || flags != 0) return kInvalidValue;
    *executable = handles<GraphExecutable>().add(std::make_shared<GraphExecutable>(*graph));
    return kOk;
  });
}

int call_graph_launch(Handle handle, Handle stream_handle) {
  return with_stream(stream_handle, [&](Stream& stream) {
    const auto executable = handles<GraphExecutable>().find(handle);
    if (!executable || executable->graph.device != &stream.device()) return static_cast<int>(kInvalidValue);
    // The first launch uploads the graph, for which it waits until the device is idle.
    if (!executable->uploaded.exchange(true)) stream.device().drain();
    return stream.submit({.work =
                              [executable, &stream] {
                                // Each operation has its own power and failure; those after a failure are skipped.
                                for (const Operation& operation : executable->graph.operations)
                                  stream.execute(operation);
                                return 0;
                              },
                          .loads = false});
  });
}

int call_graph_release(Handle handle) {
  if (const int code = driver_state()) return code;
  return handles<GraphExecutable>().remove(handle) ? kOk : kInvalidValue;
}

}  // namespace gpumark::sim
