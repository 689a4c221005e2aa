import type { LogView } from '../../lib/logs/text';

/** What a log viewer shows, and the store it reads from; who fills the store is not its business. */

export type SpanColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim';

export interface Span {
  text: string;
  color?: SpanColor;
  bold?: boolean;
}

/** A line that is on screen. */
export interface Line {
  /** Its number in the log: unique and stable. */
  id: number;
  /** RFC 3339, when the source knows it. */
  ts: string | null;
  text: string;
  /** With an ANSI parser's colours; `text` is the pieces joined. */
  spans?: readonly Span[];
  /** `gap`: lines are missing here, `text` says why. `notice`: said by the console, not by the app. */
  kind: 'stdout' | 'stderr' | 'gap' | 'notice';
}

/** For useSyncExternalStore: the view must be the same until something changed. */
export interface LogStore {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => LogView;
}

export type LogState = 'live' | 'connecting' | 'reconnecting' | 'waiting' | 'ended';
