import type { Start } from './search';

/** What each way is given. */
export interface WayProps {
  teamSlug: string;
  start: (start: Start) => void;
  /** Why nothing can be deployed here; undefined when it can. */
  shut: string | undefined;
}
