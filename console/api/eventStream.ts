import type { ActivityEvent } from '../../generated/api/types.gen';

export type StreamState = 'connecting' | 'live' | 'polling';

interface Handlers {
  onEvent: (event: ActivityEvent) => void;
  /** Returns when the oldest data on the page was read, in Unix milliseconds; undefined without data. */
  shownSince: () => number | undefined;
  /** Called if events may have been missed, to refetch all live queries. */
  onGap: () => void;
  onState: (state: StreamState) => void;
  /** Called when the user's notifications change. */
  onNotification?: () => void;
  /** Called when the announcements change. */
  onAnnouncement?: () => void;
  /** Called when the stream breaks, is cut or refused. Reconnecting is automatic. */
  onBreak?: () => void;
}

/** After this time without an open stream, the page polls. */
const PATIENCE_MS = 8_000;
const POLL_MS = 5_000;
/** Maximum data age to send with a stream request; the API's limit. */
const MAX_RECENT_MS = 600_000;
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];
/** Browsers allow six HTTP/1.1 connections per host, so hidden tabs close theirs. */
const HIDDEN_MS = 60_000;

/** Events between reading the data and opening the stream would otherwise be missed. */
function withAge(url: string, since: number | undefined): string {
  const age_ms = since === undefined ? 0 : Math.max(0, Date.now() - since);
  return `${url}&recent_ms=${Math.min(MAX_RECENT_MS, age_ms + 1)}`;
}

/**
 * Follows the team's events while the page shows the team. Polls if the stream can't connect (proxies that buffer
 * or refuse it) and returns to it when possible. @returns a function that stops following
 */
export function followEvents(url: string, handlers: Handlers): () => void {
  let source: EventSource | null = null;
  let retry: Timer;
  let patience: Timer;
  let poll: ReturnType<typeof setInterval> | undefined;
  let hidden: Timer;
  let failures = 0;
  let missed = false;
  let isFirst = true;
  let ended = false;

  const stopPolling = () => {
    clearTimeout(patience);
    patience = undefined;
    clearInterval(poll);
    poll = undefined;
  };
  const startPolling = () => {
    if (poll !== undefined || ended) return;
    handlers.onState('polling');
    poll = setInterval(() => {
      if (document.visibilityState === 'visible') handlers.onGap();
    }, POLL_MS);
  };
  // Counts from the first failure: a stream that is cut again and again before it opens must not extend the wait.
  const waitOrPoll = () => {
    patience ??= setTimeout(startPolling, PATIENCE_MS);
  };

  const close = () => {
    source?.close();
    source = null;
    clearTimeout(retry);
    stopPolling();
  };
  const open = () => {
    clearTimeout(retry);
    source?.close();
    if (poll === undefined) waitOrPoll();
    source = new EventSource(isFirst ? withAge(url, handlers.shownSince()) : url);
    isFirst = false;
    source.addEventListener('open', () => {
      failures = 0;
      stopPolling();
      handlers.onState('live');
      if (missed) handlers.onGap();
      missed = false;
    });
    source.addEventListener('error', () => {
      handlers.onBreak?.();
      // The browser reconnects automatically, with Last-Event-ID, unless the server refused or sent something else.
      if (source?.readyState !== EventSource.CLOSED) {
        if (poll === undefined) waitOrPoll();
        return;
      }
      missed = true;
      startPolling();
      retry = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      failures += 1;
    });
    source.addEventListener('message', (message: MessageEvent<string>) => {
      const event = parseEvent(message.data);
      if (event) handlers.onEvent(event);
    });
    source.addEventListener('notification', () => handlers.onNotification?.());
    source.addEventListener('announcement', () => handlers.onAnnouncement?.());
    // Sent by the server if more events were missed than it replays.
    source.addEventListener('gap', () => handlers.onGap());
  };
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.visibilityState === 'hidden') {
      hidden = setTimeout(() => {
        close();
        missed = true;
      }, HIDDEN_MS);
    } else if (source === null) {
      handlers.onGap();
      missed = false;
      open();
    }
  };

  handlers.onState('connecting');
  open();
  document.addEventListener('visibilitychange', onVisibility);
  return () => {
    ended = true;
    close();
    clearTimeout(hidden);
    document.removeEventListener('visibilitychange', onVisibility);
  };
}

type Timer = ReturnType<typeof setTimeout> | undefined;

function parseEvent(data: string): ActivityEvent | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && 'kind' in value ? (value as ActivityEvent) : null;
  } catch {
    return null;
  }
}
