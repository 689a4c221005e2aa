import type { Start } from './search';

/** Props common to all launch options. */
export interface OptionProps {
  teamSlug: string;
  start: (start: Start) => void;
  /** Why deploying is blocked; undefined if it isn't. */
  blockedReason: string | undefined;
}
