import { execa } from 'execa';
import type { Objdump } from './amd-disassembly.ts';

/**
 * Kernel -> its innermost loops, each as its instructions, such as "ds_read_b128 v[8:11], v6 offset:2048": the code
 * between a backward branch and its target without another such branch.
 */
export async function innermostLoops([program, ...options]: Objdump, path: string): Promise<Map<string, string[][]>> {
  const { stdout } = await execa(program, [...options, '-d', '--no-show-raw-insn', path]);
  const kernels = new Map<string, string[][]>();
  let found: string[][] = [];
  let code: { address: number; text: string }[] = [];
  let entry = 0;
  for (const line of stdout.split('\n')) {
    const [, start, label] = /^([0-9a-f]+) <(\w+)>:$/.exec(line) ?? [];
    if (start !== undefined && label !== undefined) {
      [entry, code, found] = [Number.parseInt(start, 16), [], []];
      kernels.set(label, found);
    }
    // "	s_cbranch_scc1 65401    // 000000001DE0: BF85FF79 <gpumark_mfma_fp16_256x256+0x9a8>"
    const [, text, place, offset] =
      /^\t(.*?)\s*\/\/ ([0-9A-F]+):(?: [0-9A-F]{8})*(?: <\w+\+0x([0-9a-f]+)>)?/.exec(line) ?? [];
    if (text === undefined || place === undefined) continue;
    const address = Number.parseInt(place, 16);
    code.push({ address, text });
    const target = offset === undefined ? undefined : entry + Number.parseInt(offset, 16);
    if (target === undefined || target > address || !/^s_c?branch/.test(text)) continue;
    found.push(code.filter((one) => one.address >= target).map((one) => one.text));
    // An outer loop's branch comes later: what an inner one has taken is not looked at again.
    code = [];
  }
  return kernels;
}
