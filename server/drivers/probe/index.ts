/** Whether an address of a gateway answers: one connection, step by step, with what each step took. */

export type ProbeStepName = 'dns' | 'tcp' | 'tls' | 'http';

export interface ProbeStep {
  name: ProbeStepName;
  state: 'passed' | 'warning' | 'failed' | 'skipped';
  /** Milliseconds; null for a step that was not taken. */
  ms: number | null;
  detail: string;
}

export interface ProbeTarget {
  host: string;
  port: number;
  /** `none`: plain HTTP; `h2`: TLS that has to agree on HTTP/2. */
  tls: 'none' | 'tls' | 'h2';
  /** The only addresses to connect to; null: wherever the host leads, within the rules for outgoing connections. */
  only: readonly string[] | null;
  /** A name of this machine (RFC 6761 §6.3), where a local teepod listens. */
  local: boolean;
}

export interface ProbeResult {
  steps: ProbeStep[];
  /** Status of the HTTP answer, if there was one. */
  status: number | null;
  /** The beginning of its body, as text. */
  body: string;
}

export interface Probe {
  /**
   * Never throws for the target's sake. Connects to addresses that were checked, sends one GET, reads a few KB and
   * follows nothing.
   */
  reach(target: ProbeTarget, signal: AbortSignal): Promise<ProbeResult>;
}
