"""What PyTorch reaches on the one device it may see, at the sizes given: the peer that `make device-check` compares with.

Prints one JSON object. Exit codes: 0 measured, 2 usage, 3 no torch or no device that it can use (the object says why).
"""

import argparse
import collections
import ctypes
import json
import os
import re
import statistics
import sys
import time

SCHEMA = "gpumark.torch-peer/1"
LEAST_SAMPLES = 20
MOST_SAMPLES = 20000
SAMPLE_SECONDS = 2e-3
LAUNCHES = 500
# As long as the runner's samples of a product; so many stretches lie ahead of the one that is waited for.
STRETCH_SECONDS = 5e-3
STRETCHES_AHEAD = 4
# SplitMix64, as the runner fills its arrays: the same numbers draw the same power.
STEP, MIX1, MIX2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--array-bytes", type=int, help="size of each array of the triad")
    parser.add_argument("--copy-bytes", type=int, help="size of the buffers of the copy within the device")
    parser.add_argument("--link-bytes", type=int, help="size of the pinned buffers")
    parser.add_argument("--link-copies", type=int, default=4, help="copies per sample")
    parser.add_argument("--matmul-sizes", default="", help="n of each product: bf16=8192,fp8=8192")
    parser.add_argument("--matmul-seed", type=int, default=0, help="seed of A; that of B is one more")
    parser.add_argument("--matmul-warm-up", type=float, default=1.6, help="load before the first product that counts")
    parser.add_argument("--matmul-seconds", type=float, default=1.2, help="time of the products that count")
    parser.add_argument("--numa-node", type=int, default=-1, help="node whose cores this process keeps to")
    parser.add_argument("--seconds", type=float, default=1.0, help="measuring time of each figure")
    return parser.parse_args()


def signed(word):
    return word - (1 << 64) if word >= 1 << 63 else word


def words(torch, array, seed):
    """Parts of `array` with the runner's random word of each element. In parts, since the arithmetic needs several times the memory."""

    def mixed(x, shift, factor):
        return (x ^ ((x >> shift) & ((1 << (64 - shift)) - 1))) * signed(factor)

    part = 1 << 24
    for start in range(0, array.numel(), part):
        end = min(start + part, array.numel())
        index = torch.arange(start + 1, end + 1, dtype=torch.int64, device=array.device)
        x = mixed(mixed(index * signed(STEP) + seed, 30, MIX1), 27, MIX2)
        yield array[start:end], x ^ ((x >> 31) & ((1 << 33) - 1))


def fill(torch, array, seed):
    """Multiples of 1/1024 in [-1, 1)."""
    for part, word in words(torch, array, seed):
        part.copy_((((word >> 53) & 2047) - 1024).to(array.dtype) / 1024)


class Clock:
    """Times what is enqueued by events. A kernel that only waits holds the stream until all of it is there."""

    def __init__(self, torch):
        self.torch = torch
        self.begin = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)
        self.gate_cycles = 0
        self.between(lambda: torch.cuda._sleep(100000))
        # 2 ms: longer than the host needs for the 64 launches of a sample.
        self.gate_cycles = int(100000 * 2e-3 / max(1e-6, self.between(lambda: torch.cuda._sleep(100000))))

    def between(self, enqueue):
        if self.gate_cycles:
            self.torch.cuda._sleep(self.gate_cycles)
        self.begin.record()
        enqueue()
        self.end.record()
        self.end.synchronize()
        return self.begin.elapsed_time(self.end) * 1e-3

    def rates(self, once, amount, seconds, repeats=None):
        """`amount` per second of `once`, several times per sample where one is short."""
        once()
        one = self.between(once)
        count = repeats or max(1, min(64, int(SAMPLE_SECONDS / max(one, 1e-7)) + 1))

        def enqueue():
            for _ in range(count):
                once()

        return series(lambda: amount * count / self.between(enqueue), seconds)[0]

    def sustained(self, once, amount, args):
        """`amount` per second of `once` under a load without a gap, as the runner's products have it: a card at its power
        cap is faster for a second, and with gaps for ever. Stretches between events, a few of them under way at a time."""
        torch = self.torch
        once()
        count = max(1, min(64, int(STRETCH_SECONDS / max(self.between(once), 1e-7)) + 1))
        marks = collections.deque()

        def stretch():
            while len(marks) <= STRETCHES_AHEAD:
                for _ in range(count if marks else 0):
                    once()
                mark = torch.cuda.Event(enable_timing=True)
                mark.record()
                marks.append(mark)
            begin = marks.popleft()
            marks[0].synchronize()
            return amount * count / (begin.elapsed_time(marks[0]) * 1e-3)

        figure, stretches = series(stretch, args.matmul_seconds, args.matmul_warm_up)
        torch.cuda.synchronize()
        # Stretches of the same products, each beginning where the last one ends: all products by the time from the first event
        # to the last, as the runner counts its own.
        return {**figure, "rate": statistics.harmonic_mean(stretches)}

def series(sample, seconds, warm_up=None):
    """Warms up (for a third of the time unless told), then takes samples for the rest of it, and at least LEAST_SAMPLES. The
    figure of the samples, and the samples."""
    until = time.monotonic() + (seconds / 3 if warm_up is None else warm_up)
    while time.monotonic() < until:
        sample()
    until = time.monotonic() + (seconds * 2 / 3 if warm_up is None else seconds)
    samples = []
    while len(samples) < LEAST_SAMPLES or (time.monotonic() < until and len(samples) < MOST_SAMPLES):
        samples.append(sample())
    mean = statistics.fmean(samples)
    figure = {
        "median": statistics.median(samples),
        "n": len(samples),
        "cv": statistics.stdev(samples) / mean,
        "min": min(samples),
        "max": max(samples),
    }
    return figure, samples


def triad(torch, clock, args):
    count = args.array_bytes // 8
    a, b, c = (torch.empty(count, dtype=torch.float64, device="cuda") for _ in range(3))
    fill(torch, b, 1)
    fill(torch, c, 2)
    figure = clock.rates(lambda: torch.add(b, c, alpha=3, out=a), 24e-9 * count, args.seconds)
    for at in (0, count // 2, count - 1):
        if a[at].item() != b[at].item() + 3 * c[at].item():
            raise RuntimeError(f"torch's triad is wrong at element {at}")
    return figure


def copy(torch, clock, args):
    count = args.copy_bytes // 8
    source, target = (torch.empty(count, dtype=torch.float64, device="cuda") for _ in range(2))
    fill(torch, source, 1)
    return clock.rates(lambda: target.copy_(source), 16e-9 * count, args.seconds)


def link(torch, clock, args, to_device):
    count = args.link_bytes // 8
    device = torch.empty(count, dtype=torch.float64, device="cuda")
    host = torch.empty(count, dtype=torch.float64, pin_memory=True)
    fill(torch, device, 1)
    host.copy_(device)
    target, source = (device, host) if to_device else (host, device)
    return clock.rates(lambda: target.copy_(source, non_blocking=True), 8e-9 * count, args.seconds, args.link_copies)


def launch(torch, args):
    """Host time of one submit of a kernel that does nothing, Python's own call included."""

    def sample():
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            torch.cuda._sleep(0)
        spent = time.perf_counter() - start
        torch.cuda.synchronize()
        return spent / LAUNCHES * 1e6

    return series(sample, args.seconds)[0]


def normal(torch, rows, columns, seed):
    """Near-normal numbers, mean 0, variance 1: sums of four 16-bit uniforms."""
    out = torch.empty(rows * columns, dtype=torch.float64, device="cuda")
    for part, word in words(torch, out, seed):
        total = sum((word >> shift) & 0xFFFF for shift in (0, 16, 32, 48)).to(torch.float64)
        part.copy_((total / 65536 - 2 + 2 / 65536) * 1.7320508075688772)
    return out.view(rows, columns)


def matmul(torch, clock, args, name, size):
    """C = A x B^T, both row-major, as the runner has them."""
    types = {"bf16": torch.bfloat16, "fp16": torch.float16, "mixed": torch.float16, "fp64": torch.float64}
    dtype = types.get(name, torch.float32)
    # fp16 in and fp32 out: torch has had that argument since 2.8.
    wider = {"out_dtype": torch.float32} if name == "mixed" else {}
    torch.backends.cuda.matmul.allow_tf32 = name == "tf32"
    a, b = (normal(torch, size, size, args.matmul_seed + i).to(dtype) for i in range(2))
    c = torch.empty(size, size, dtype=wider.get("out_dtype", dtype), device="cuda")
    figure = clock.sustained(lambda: torch.mm(a, b.t(), out=c, **wider), 2e-12 * size**3, args)
    return {**figure, "size": size}


def matmul_fp8(torch, clock, args, _name, size):
    """e4m3 with scales of 1 and fast accumulation, bf16 out: torch's own entry to the library."""
    a, b = (normal(torch, size, size, args.matmul_seed + i).to(torch.float32).to(torch.float8_e4m3fn) for i in range(2))
    one = torch.ones((), dtype=torch.float32, device="cuda")

    def once():
        return torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.bfloat16, use_fast_accum=True)

    return {**clock.sustained(once, 2e-12 * size**3, args), "size": size}


def measure(torch, args):
    clock = Clock(torch)
    figures = {}

    def take(name, needed, run):
        try:
            figures[name] = run() if needed else {"reason": "the runner named no size for it"}
        except (RuntimeError, AttributeError, TypeError) as problem:
            figures[name] = {"reason": (str(problem).strip().splitlines() or ["no reason given"])[0][:300]}
        torch.cuda.empty_cache()

    take("triad_gbs", args.array_bytes, lambda: triad(torch, clock, args))
    take("copy_gbs", args.copy_bytes, lambda: copy(torch, clock, args))
    take("host_to_device_gbs", args.link_bytes, lambda: link(torch, clock, args, True))
    take("device_to_host_gbs", args.link_bytes, lambda: link(torch, clock, args, False))
    take("launch_us", True, lambda: launch(torch, args))
    sizes = dict(pair.split("=") for pair in args.matmul_sizes.split(",") if pair)
    for name in ("bf16", "fp16", "mixed", "tf32", "fp32", "fp64", "fp8"):
        size = int(sizes.get(name, 0))
        run = matmul_fp8 if name == "fp8" else matmul
        take(f"matmul_{name}_tflops", size, lambda run=run, name=name, size=size: run(torch, clock, args, name, size))
    return figures


def keep_to_node(node):
    """Pinned memory comes from the node of the thread that asks, as in the runner. True where it could be done."""
    try:
        with open(f"/sys/devices/system/node/node{node}/cpulist", encoding="ascii") as listed:
            spans = [part.split("-") for part in listed.read().strip().split(",") if part]
        cores = {core for span in spans for core in range(int(span[0]), int(span[-1]) + 1)}
        os.sched_setaffinity(0, cores & os.sched_getaffinity(0))
        return True
    except (OSError, ValueError):
        return False


def describe(torch):
    properties = torch.cuda.get_device_properties(0)
    pci = [getattr(properties, f"pci_{part}_id", None) for part in ("domain", "bus", "device")]
    return {
        "name": properties.name,
        "uuid": str(properties.uuid) if hasattr(properties, "uuid") else None,
        "pci_id": None if None in pci else "{:04x}:{:02x}:{:02x}.0".format(*pci),
        "visible_devices": torch.cuda.device_count(),
    }


def matrix_library():
    """The vendor's library that this process has loaded for its products: path, and version as far as it says one. A wheel of
    torch brings its own, which need not be the one that the runner finds on the machine."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split(maxsplit=5)[-1].strip() for line in maps if line.count("/")}
    path = next((one for one in sorted(paths) if re.match(r"lib(cublasLt|hipblaslt)\.so", os.path.basename(one))), None)
    if path is None:
        return None
    parts = [ctypes.c_int() for _ in ("major", "minor", "patch")]
    try:
        library = ctypes.CDLL(path)
        told = all([library.cublasLtGetProperty(at, ctypes.byref(part)) == 0 for at, part in enumerate(parts)])
    except (AttributeError, OSError):
        told = False  # hipBLASLt tells its version only to who has made a handle
    return {"path": path, "version": ".".join(str(part.value) for part in parts) if told else None}


def answer(document, code):
    print(json.dumps({"schema": SCHEMA, **document}), flush=True)
    sys.exit(code)


def main():
    args = parse_arguments()
    pinned = args.numa_node >= 0 and keep_to_node(args.numa_node)
    try:
        import torch
    except Exception as problem:  # a broken installation fails in many ways
        answer({"reason": f"python3 cannot import torch: {problem}"}, 3)
    try:
        if not torch.cuda.is_available():
            answer({"reason": f"torch {torch.__version__} sees no GPU it can use"}, 3)
        torch.cuda.set_device(0)
        device = describe(torch)
        figures = measure(torch, args)
    except RuntimeError as problem:
        answer({"reason": f"torch {torch.__version__} failed: {problem}"}, 3)
    version = {"torch": torch.__version__, "cuda": torch.version.cuda, "hip": getattr(torch.version, "hip", None)}
    about = {"matrix_library": matrix_library(), "device": device, "kept_to_numa_node": args.numa_node if pinned else None}
    answer({**version, **about, "figures": figures}, 0)


if __name__ == "__main__":
    main()
