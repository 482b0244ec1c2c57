import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { execa } from 'execa';
import { backendOf, readRun, runnerOn, vendors } from '../native/simulated-gpus.ts';
import { root } from '../support/source-files.ts';

/** A library loaded before the driver: it answers for two of the driver's calls, writes a line for each, and calls the driver's own. */
const counting = String.raw`
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
#include <cstdlib>
#include <cstring>
#include <string>
using Real = void* (*)(void*, const char*);
static Real real() {
  static Real found = [] {
    void* call = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    return reinterpret_cast<Real>(call ? call : dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.17"));
  }();
  return found;
}
static void say(const std::string& line) {
  static int file = open(std::getenv("GPUMARK_CALLS"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (write(file, (line + "\n").c_str(), line.size() + 1) < 0) std::abort();
}
static int (*find_function)(void**, void*, const char*);
static int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
static int counted_find(void** function, void* module, const char* name) {
  say(std::string("find ") + name);
  return find_function(function, module, name);
}
static int counted_launch(void* f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g, unsigned h,
                          void* stream, void** arguments, void** extra) {
  say("launch");
  return launch(f, a, b, c, d, e, g, h, stream, arguments, extra);
}
extern "C" void* dlsym(void* library, const char* name) {
  void* found = real()(library, name);
  if (found && (!std::strcmp(name, "cuModuleGetFunction") || !std::strcmp(name, "hipModuleGetFunction")))
    return find_function = reinterpret_cast<decltype(find_function)>(found), reinterpret_cast<void*>(counted_find);
  if (found && (!std::strcmp(name, "cuLaunchKernel") || !std::strcmp(name, "hipModuleLaunchKernel")))
    return launch = reinterpret_cast<decltype(launch)>(found), reinterpret_cast<void*>(counted_launch);
  return found;
}
`;

async function counter(t: TestContext): Promise<{ folder: string; library: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-look-ups-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const library = join(folder, 'counting.so');
  await execa('g++', ['-std=c++17', '-shared', '-fPIC', '-O1', '-x', 'c++', '-', '-o', library, '-ldl'], {
    input: counting,
  });
  return { folder, library };
}

for (const vendor of vendors) {
  test(`${vendor}: the driver is asked for each kernel once, however many launches there are`, async (t) => {
    const { folder, library } = await counter(t);
    const { path, options } = await runnerOn({ drivers: [vendor] });
    const callsAt = async (timeScale: string): Promise<{ asked: string[]; launches: number }> => {
      const log = join(folder, timeScale);
      writeFileSync(log, '');
      const env = { ...options.env, LD_PRELOAD: library, GPUMARK_CALLS: log };
      const args = ['run', '--device', backendOf[vendor], '--benchmarks', 'dispatch', '--time-scale', timeScale];
      const { stdout, exitCode } = await execa(path, args, { ...options, env });
      assert.ok((readRun(stdout, exitCode).result('kernel_launch_overhead_us').value ?? 0) > 0);
      const calls = readFileSync(log, 'utf8').trim().split('\n');
      const asked = calls.filter((call) => call.startsWith('find '));
      return { asked, launches: calls.length - asked.length };
    };
    const [short, long] = [await callsAt('0.02'), await callsAt('0.1')];
    assert.ok(short.asked.includes('find gpumark_empty'), short.asked.join());
    assert.deepEqual(short.asked, [...new Set(short.asked)], 'each name once');
    assert.deepEqual(long.asked, short.asked);
    // Ten samples of 500 launches at least; whether more time gives more of them is for the machine to say.
    assert.ok(short.launches >= 5000 && long.launches >= 5000, `${short.launches}, ${long.launches} launches`);
  });
}

// The runner keeps what the driver answered by name. To find it there takes about 40 ns, which would be part of the figure.
test('what is timed as a launch launches a handle: the name is looked up where the benchmark begins', () => {
  const source = readFileSync(join(root, 'native/src/gpu/benchmarks/dispatch.cpp'), 'utf8');
  assert.deepEqual(source.match(/\b(?:portable_)?kernel\([^)]*\)/g), ['kernel(kName)']);
  assert.match(source, /explicit EmptyKernel\(GpuContext& gpu\) : gpu_\(gpu\), function_\(gpu\.kernel\(kName\)\)/);
  assert.match(source, /for \(int i = 0; i < kBatch; \+\+i\) empty\.launch\(\);/);
  // launch(), launch_on(): those of the context, which look the name up
  assert.deepEqual(source.match(/gpu_?(?:\(\))?\.launch\w*\(/g), ['gpu_.launch_function(']);
});
