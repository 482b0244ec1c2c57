import { askProgram } from '../inventory/ask-program.ts';
import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';
import { notRead, read } from './reading.ts';

/** One message of the kernel. */
export interface KernelMessage {
  /** Since the machine was started. */
  seconds: number;
  /** Number of the record; null if the source does not tell. */
  sequence: number | null;
  text: string;
}

export interface KernelLog {
  /** Those that were asked for. */
  messages: KernelMessage[];
  /** Of all messages: where the next one begins. */
  newest: { seconds: number; sequence: number };
  /** Why the newest messages may be missing; null: it was read to its end. */
  cut: string | null;
}

/** Output of a program for the kernel's log. @throws Error if it fails */
export type AskProgram = (program: string, options: readonly string[]) => Promise<string>;

/** The kernel's buffer is 128 KiB to 4 MiB as a rule; one kept for longer is `log_buf_len=`. */
const LOG_BYTES_MAX = 16 * 2 ** 20;
const LINES_MAX = 200_000;
/** A message has up to 2 KiB; the rest of a longer line is not looked at. */
const LINE_MAX = 4096;
const ANSWER_MS = 2_000;

/**
 * Programs that may read the log where this user may not: util-linux has leave of the kernel where `kernel.dmesg_restrict` is 0
 * and the container hides /dev/kmsg, journalctl for members of systemd-journal and adm. Both print the kernel's own messages
 * only; the journal's are the newest of this start of the machine.
 */
const PROGRAMS: readonly {
  program: string;
  options: readonly string[];
  parse: (line: string) => KernelMessage | null;
}[] = [
  { program: 'dmesg', options: ['--kernel', '--raw'], parse: messageOfDmesg },
  {
    program: 'journalctl',
    options: ['--dmesg', '--boot', '--output=short-monotonic', '--lines=20000', '--no-pager', '--quiet'],
    parse: messageOfJournal,
  },
];

/**
 * The kernel's messages since the machine was started, as far as it keeps them, or why they cannot be read. In a container that
 * is normal, and no fault.
 * @param wanted whether a message is kept
 */
export async function readKernelLog(
  files: SystemFiles,
  wanted: (text: string) => boolean,
  ask: AskProgram | null = programFor(files),
): Promise<Probed<KernelLog>> {
  const { value: content, reason } = files.content('dev/kmsg', LOG_BYTES_MAX);
  if (content !== null) return read(logOf(content.bytes.toString(), content.whole, messageOfKmsg, wanted));
  for (const { program, options, parse } of ask === null ? [] : PROGRAMS) {
    const printed = await ask?.(program, options).catch(() => null);
    const log = printed == null ? null : logOf(printed, true, parse, wanted);
    if (log !== null && log.newest.seconds >= 0) return read(log);
  }
  return notRead(
    reason === 'there is no such file'
      ? '/dev/kmsg is not in this container: the kernel log is its host’s'
      : `/dev/kmsg: ${reason ?? ''}; root, CAP_SYSLOG or kernel.dmesg_restrict=0 allow it`,
  );
}

const printedBy: AskProgram = async (program, options) => {
  const { stdout, end } = await askProgram(program, options, ANSWER_MS, LOG_BYTES_MAX);
  if (end !== null) throw new Error(`${program}: ${end}`);
  return stdout;
};

/** Programs answer for the real machine only, not for a tree of a test. */
const programFor = (files: SystemFiles): AskProgram | null => (files.root === '/' ? printedBy : null);

function logOf(
  text: string,
  whole: boolean,
  parse: (line: string) => KernelMessage | null,
  wanted: (text: string) => boolean,
): KernelLog {
  const log: KernelLog = { messages: [], newest: { seconds: -1, sequence: -1 }, cut: null };
  let start = 0;
  for (let lines = 0; start < text.length && lines < LINES_MAX; lines += 1) {
    const end = text.indexOf('\n', start);
    const stop = end === -1 ? text.length : end;
    const message = parse(text.slice(start, Math.min(stop, start + LINE_MAX)));
    start = stop + 1;
    if (message === null) continue;
    log.newest.seconds = Math.max(log.newest.seconds, message.seconds);
    log.newest.sequence = Math.max(log.newest.sequence, message.sequence ?? -1);
    if (wanted(message.text)) log.messages.push(message);
  }
  if (!whole || start < text.length)
    log.cut = 'the kernel log is longer than what is read of it: the newest messages are missing';
  return log;
}

/**
 * `6,339,5140900,-;NET: Registered protocol family 10` (Documentation/ABI/testing/dev-kmsg): facility and priority, sequence,
 * microseconds. Facility 0 is the kernel; programs that write into the log cannot use it, and are not believed.
 */
function messageOfKmsg(line: string): KernelMessage | null {
  const [, level, sequence, micros, text] = /^(\d{1,4}),(\d{1,15}),(\d{1,15}),[^;]*;(.*)$/s.exec(line) ?? [];
  if (text === undefined || Number(level) >> 3 !== 0) return null;
  return { seconds: Number(micros) / 1e6, sequence: Number(sequence), text };
}

/** `<6>[   12.345678] text`, of `dmesg --raw`; with CONFIG_PRINTK_CALLER `[   12.345678][    T1]`. */
function messageOfDmesg(line: string): KernelMessage | null {
  const [, level, seconds, text] = /^<(\d{1,4})>\[\s*(\d{1,10}\.\d{1,9})\](?:\[[^\]]*\])?\s?(.*)$/s.exec(line) ?? [];
  return text === undefined || Number(level) >> 3 !== 0 ? null : { seconds: Number(seconds), sequence: null, text };
}

/** `[   12.345678] hostname kernel: text` of `--output=short-monotonic`. */
function messageOfJournal(line: string): KernelMessage | null {
  const [, seconds, text] = /^\[\s*(\d{1,10}\.\d{1,9})\] \S+ kernel: (.*)$/s.exec(line) ?? [];
  return text === undefined ? null : { seconds: Number(seconds), sequence: null, text };
}
