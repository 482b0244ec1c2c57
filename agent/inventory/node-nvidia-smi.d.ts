declare module 'node-nvidia-smi' {
  /** Runs `nvidia-smi -q -x`. `error` is also set, to the text, when nvidia-smi wrote anything at all to stderr. */
  export default function nvidiaSmi(done: (error: unknown, log: unknown) => void): void;
}
