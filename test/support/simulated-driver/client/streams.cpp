// Order and concurrency: events, gates, graphs.
#include <chrono>
#include <thread>

#include "client/client.h"

namespace client {
namespace {

using namespace gpumark::device;
constexpr std::size_t kBytes = 1 << 20;

gpumark::Handle event(const Driver& driver) {
  gpumark::Handle created = nullptr;
  CHECK_OK(driver.call.event_create(&created, 0));
  return created;
}

void sleep_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

}  // namespace

void check_gate(const Driver& driver) {
  driver.open();
  Gate gate(driver, driver.load(driver.default_image()));
  const auto stream = driver.stream();
  const auto before = event(driver), after = event(driver), never = event(driver);
  float ms = 0;
  CHECK_OK(driver.call.event_record(before, stream));
  // Makes sure that the event is reached before the sleep begins, even if the stream's thread is scheduled late.
  CHECK_OK(driver.call.stream_wait(stream));
  gate.close(stream);
  CHECK_OK(driver.call.event_record(after, stream));
  // Nothing behind the gate has run, although the calls have returned.
  sleep_ms(20);
  CHECK_CODE(driver.call.event_elapsed(&ms, before, after), 600);
  CHECK_CODE(driver.call.event_query(after), 600);
  CHECK_OK(driver.call.event_query(before));
  // An event that was never recorded has nothing to wait for.
  CHECK_OK(driver.call.event_query(never));
  CHECK_OK(driver.call.event_wait(never));
  CHECK_CODE(driver.call.event_elapsed(&ms, before, never), 400);
  gate.open();
  CHECK_OK(driver.call.event_wait(after));
  CHECK_OK(driver.call.event_query(after));
  CHECK_OK(driver.call.event_elapsed(&ms, before, after));
  CHECK(ms >= 20 && ms < 5000 && !gate.expired());
  // If the gate is not opened, the kernel gives up after one second.
  gate.close(stream);
  CHECK_OK(driver.call.stream_wait(stream));
  CHECK(gate.expired());
}

void check_streams(const Driver& driver) {
  driver.open();
  Gate gate(driver, driver.load(driver.default_image()));
  const auto one = driver.stream(), other = driver.stream();
  const auto memory = driver.allocate(kBytes);
  void* host = nullptr;
  CHECK_OK(driver.call.allocate_host(&host, kBytes, 1));
  // A copy overtakes work that waits on another stream.
  gate.close(one);
  CHECK_OK(driver.call.fill_bytes(memory, 7, kBytes, other));
  CHECK_OK(driver.call.copy_to_host(host, memory, kBytes, other));
  CHECK_OK(driver.call.stream_wait(other));
  CHECK(static_cast<unsigned char*>(host)[kBytes - 1] == 7 && !gate.expired());
  // Unless it waits for an event on that stream.
  const auto mark = event(driver);
  CHECK_OK(driver.call.fill_bytes(memory, 9, kBytes, one));
  CHECK_OK(driver.call.event_record(mark, one));
  CHECK_OK(driver.call.stream_wait_event(other, mark, 0));
  CHECK_OK(driver.call.copy_to_host(host, memory, kBytes, other));
  sleep_ms(20);
  CHECK(static_cast<volatile unsigned char*>(host)[0] == 7);
  gate.open();
  CHECK_OK(driver.call.stream_wait(other));
  CHECK(static_cast<unsigned char*>(host)[0] == 9 && static_cast<unsigned char*>(host)[kBytes - 1] == 9);
  CHECK_OK(driver.call.stream_destroy(one));
  CHECK_CODE(driver.call.stream_destroy(one), 400);
  CHECK_CODE(driver.call.stream_wait(one), 400);
  CHECK_OK(driver.call.release_host(host));
  CHECK_CODE(driver.call.release_host(host), 1);
}

void check_graph(const Driver& driver) {
  driver.open();
  const auto module = driver.load(driver.default_image());
  const auto stream = driver.stream();
  const auto memory = driver.allocate(kBytes);
  const auto write = driver.function(module, "gpumark_write");
  gpumark::Handle graph = nullptr, executable = nullptr;
  u64 word = 0;
  CHECK_CODE(driver.call.capture_end(stream, &graph), 903);
  CHECK_OK(driver.call.fill_bytes(memory, 0, kBytes, stream));
  CHECK_OK(driver.call.stream_wait(stream));
  CHECK_OK(driver.call.capture_begin(stream, 0));
  CHECK_OK(driver.launch(write, WriteArgs{reinterpret_cast<void*>(memory), kBytes / kVectorBytes, 42, 2}, 2, stream));
  CHECK_OK(driver.call.capture_end(stream, &graph));
  CHECK_OK(driver.call.graph_instantiate(&executable, graph, 0));
  CHECK_OK(driver.call.graph_destroy(graph));
  // A capture does not run the work; each launch of the graph does.
  driver.fetch(&word, memory, 8);
  CHECK(word == 0);
  for (int run = 0; run < 2; ++run) {
    CHECK_OK(driver.call.fill_bytes(memory, 0, kBytes, stream));
    CHECK_OK(driver.call.graph_launch(executable, stream));
    CHECK_OK(driver.call.stream_wait(stream));
    driver.fetch(&word, memory + kBytes - 8, 8);
    CHECK(word == 42);
  }
  CHECK_OK(driver.call.graph_release(executable));
  // An allocation on any thread invalidates a capture in global mode, but not in relaxed mode.
  gpumark::DevicePointer more = 0;
  CHECK_OK(driver.call.capture_begin(stream, 0));
  CHECK_CODE(driver.call.allocate(&more, 16), 900);
  CHECK_CODE(driver.call.capture_end(stream, &graph), 901);
  CHECK_OK(driver.call.capture_begin(stream, 2));
  CHECK_OK(driver.call.allocate(&more, 16));
  CHECK_OK(driver.call.capture_end(stream, &graph));
  // Waiting for a stream that is being captured is not allowed.
  CHECK_OK(driver.call.capture_begin(stream, 2));
  CHECK_CODE(driver.call.stream_wait(stream), 900);
  CHECK_CODE(driver.call.capture_end(stream, &graph), 901);
}

/** Prints the milliseconds that a fixed amount of work takes: the minimum of five runs. */
void time_work(const Driver& driver) {
  driver.open();
  const auto memory = driver.allocate(32 * kBytes);
  const auto stream = driver.stream(), begin = event(driver), end = event(driver);
  float least = 1e9f;
  for (int run = 0; run < 6; ++run) {
    CHECK_OK(driver.call.event_record(begin, stream));
    for (int fill = 0; fill < 4; ++fill) CHECK_OK(driver.call.fill_bytes(memory, 1, 32 * kBytes, stream));
    CHECK_OK(driver.call.event_record(end, stream));
    CHECK_OK(driver.call.stream_wait(stream));
    float ms = 0;
    CHECK_OK(driver.call.event_elapsed(&ms, begin, end));
    // The first run is not counted: the host allocates the pages on first access.
    if (run > 0 && ms < least) least = ms;
  }
  std::printf("%f\n", static_cast<double>(least));
}

}  // namespace client
