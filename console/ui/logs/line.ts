/** What a log viewer shows, and the store it reads from; who fills the store is not its business. */

export type SpanColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim';

export interface Span {
  text: string;
  color?: SpanColor;
  bold?: boolean;
}

export interface Line {
  /** Unique and stable. */
  id: string | number;
  /** RFC 3339, when the source knows it. */
  ts?: string;
  /** Container or "serial". */
  channel: string;
  /** Plain text, or the pieces of it an ANSI parser found; then `text` is the pieces joined. */
  text: string;
  spans?: readonly Span[];
  /** `gap`: lines are missing here, `text` says why. `notice`: said by the console, not by the app. */
  kind: 'line' | 'gap' | 'notice';
}

export interface LogSnapshot {
  lines: readonly Line[];
  /** Changes whenever `lines` does, also when the same array grew in place. */
  version: number;
}

/** For useSyncExternalStore: the snapshot object must be the same until something changed. */
export interface LogStore {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => LogSnapshot;
}

export type LogState = 'live' | 'connecting' | 'reconnecting' | 'ended';
