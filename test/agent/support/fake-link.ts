/** How the fake `gpumark-runner link` behaves: without anything every address can be listened on and every slot is ok. */
export interface LinkScript {
  /** Addresses that cannot be listened on. */
  taken?: string[];
  /** Dies with code 3 when it receives this verb. */
  dies_at?: string;
  /** Says nothing of these dials and slots. */
  silent?: string[];
  /** Says a line that is not an event when it receives this verb. */
  babbles_at?: string;
  /** Says `link_ready` with a clock that is off by this many milliseconds. */
  clock_off?: number;
  /** Gb/s that every slot received; 1 unless given. */
  gbps?: number;
}

/** Runs inside the fake runner, hence no reference to anything outside. Every command it hears goes to `link.log` beside it. */
export function speakLink(script: LinkScript): void {
  const say = (event: string, rest: object): void => {
    process.stdout.write(`${JSON.stringify({ schema: 'gpumark.native/1', event, t_ms: 1, ...rest })}\n`);
  };
  const now = (): number => Number(process.hrtime.bigint()) / 1e6;
  const log = (process.argv[1] ?? '').replace(/[^/]*$/, 'link.log');
  const ports = new Map<string, number>();
  const timers = new Map<string, NodeJS.Timeout>();
  const at = (id: string, time: number, tell: () => void): void => {
    if (script.silent?.includes(id) === true) return;
    timers.set(id, setTimeout(tell, Math.max(0, time - now())));
  };
  const dialled = (id: string, to: string): void =>
    say('dialled', { id, status: 'ok', address: to.split(',')[0] ?? null, connect_us: 120.5, code: null });
  const slot = (word: Record<string, string>): void => {
    const isDialer = word['role'] === 'dial';
    const bytes = 1_000_000;
    say('slot', {
      id: word['id'],
      role: word['role'],
      status: 'ok',
      stage: null,
      code: null,
      started: Number(word['start']) + 1.5,
      skew: 1.5,
      connect_us: 100,
      received: { gbps: script.gbps ?? 1, bytes, window_ms: 600 },
      sent: { bytes, retransmits: 0, segments: 700, min_rtt_us: 40 },
      rtt_us: isDialer ? { min: 30, p50: 40, p99: 60, max: 90, samples: 900 } : null,
      mtu: 1500,
      interface: 'eth0',
    });
  };
  const obey = (line: string): void => {
    process.getBuiltinModule('node:fs').appendFileSync(log, `${line}\n`);
    const [verb = '', ...rest] = line.split(' ');
    const word: Record<string, string> = Object.fromEntries(rest.map((part) => part.split(/=(.*)/s).slice(0, 2)));
    const { id = '', address = '', to = '' } = word;
    if (verb === script.dies_at) process.exit(3);
    if (verb === script.babbles_at) process.stdout.write('hello\n');
    if (verb === 'listen') {
      if (script.taken?.includes(address) === true) return say('listen_failed', { address, code: 'EADDRINUSE' });
      ports.set(address, 20_000 + ports.size);
      return say('listening', { address, port: ports.get(address) });
    }
    if (verb === 'dial') at(id, Number(word['start']), () => dialled(id, to));
    if (verb === 'slot' && word['mode'] === 'measure')
      at(id, Number(word['start']) + Number(word['length']), () => slot(word));
    if (verb === 'slot' && word['mode'] === 'channel')
      at(id, Number(word['start']), () => {
        say('channel', { id, status: 'ok', stage: null, code: null, started: now(), skew: 0 });
        // The other end repeats what is said.
        say('heard', { id, text: Buffer.from('hello').toString('hex') });
      });
    if (verb === 'say') say('heard', { id, text: word['text'] });
    if (verb === 'hang_up') say('hung_up', { id });
    if (verb === 'cancel') clearTimeout(timers.get(id));
  };
  say('link_ready', { monotonic_ms: now() + (script.clock_off ?? 0), congestion_control: 'cubic' });
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) obey(line);
  });
  process.stdin.on('end', () => process.exit(0));
}
