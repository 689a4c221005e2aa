/** Tests whether a gateway's address responds: one connection, step by step, with each step's duration. */

export type ProbeStepName = 'dns' | 'tcp' | 'tls' | 'http';

export interface ProbeStep {
  name: ProbeStepName;
  state: 'passed' | 'warning' | 'failed' | 'skipped';
  /** Milliseconds; null for a skipped step. */
  ms: number | null;
  detail: string;
}

export interface ProbeTarget {
  host: string;
  port: number;
  /** `none`: plain HTTP; `h2`: TLS that must negotiate HTTP/2. */
  tls: 'none' | 'tls' | 'h2';
  /** The only addresses to connect to; null: any address of the host, within the rules for outgoing connections. */
  only: readonly string[] | null;
  /** Path of the request: / if absent. */
  path?: string;
  /** A name of this machine (RFC 6761 §6.3), where a local teepod listens. */
  local: boolean;
}

export interface ProbeResult {
  steps: ProbeStep[];
  /** Status of the HTTP response, if there was one. */
  status: number | null;
  /** The start of its body, as text. */
  body: string;
}

export interface Probe {
  /**
   * Never throws because of the target. Connects to checked addresses, sends one GET, reads a few KB and follows no
   * redirect.
   */
  reach(target: ProbeTarget, signal: AbortSignal): Promise<ProbeResult>;
}
