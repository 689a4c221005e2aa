/** Exit codes, for scripts that react to the reason. */
export const EXIT = {
  ok: 0,
  /** The server refused, or the app didn't start. */
  failed: 1,
  /** Wrong inputs; nothing was sent. */
  usage: 2,
  /** Deployed, but the evidence doesn't prove what `verify` requires. */
  unverified: 3,
  /** Another operation on this app is in progress. */
  busy: 4,
  /** Still in progress when `timeout-minutes` passed; the server continues. */
  timeout: 5,
  /** The app's contract has to allow the new compose hash first. */
  approval: 6,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the run. The message is for users, and never contains a secret. */
export class DeployError extends Error {
  readonly code: ExitCode;
  /** What to do, most useful first. */
  readonly advice: readonly string[];
  constructor(code: ExitCode, message: string, advice: readonly string[] = []) {
    super(message);
    this.name = 'DeployError';
    this.code = code;
    this.advice = advice;
  }
}
