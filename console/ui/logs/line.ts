import type { LogView } from '../../lib/logs/text';

/** The log viewer's data, and the store it reads; it doesn't matter who fills the store. */

export type SpanColor = 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan' | 'dim';

export interface Span {
  text: string;
  color?: SpanColor;
  bold?: boolean;
}

/** A visible line. */
export interface Line {
  /** Its number in the log: unique and stable. */
  id: number;
  /** RFC 3339, if the source provides it. */
  ts: string | null;
  text: string;
  /** Parts with the ANSI parser's colors; `text` is the joined parts. */
  spans?: readonly Span[];
  /** `gap`: lines are missing here, `text` says why. `notice`: from the console, not from the app. */
  kind: 'stdout' | 'stderr' | 'gap' | 'notice';
}

/** For useSyncExternalStore: the view must stay the same object until something changes. */
export interface LogStore {
  subscribe: (listener: () => void) => () => void;
  getSnapshot: () => LogView;
}

export const LINES = ['line', 'lines'] as const;

export type LogState = 'live' | 'connecting' | 'reconnecting' | 'waiting' | 'ended';
