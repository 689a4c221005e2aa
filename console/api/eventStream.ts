import type { ActivityEvent } from '../../generated/api/types.gen';

export type StreamState = 'connecting' | 'live' | 'polling';

interface Handlers {
  onEvent: (event: ActivityEvent) => void;
  /** Events may have been missed: everything live is to be asked again. */
  onGap: () => void;
  onState: (state: StreamState) => void;
  /** What the person is told changed: something came, or was read elsewhere. */
  onNotification?: () => void;
  /** What is announced changed. */
  onAnnouncement?: () => void;
  /** The stream broke, was cut or refused. It is tried again by itself. */
  onBreak?: () => void;
}

/** Longer than this without an open stream, and the page polls instead. */
const PATIENCE_MS = 8_000;
const POLL_MS = 5_000;
const RETRY_MS = [2_000, 5_000, 15_000, 60_000];
/** Browsers allow six HTTP/1.1 connections to a host: a tab nobody looks at gives its own back. */
const HIDDEN_MS = 60_000;

/**
 * The team's events, for as long as the page shows the team. Polls while the stream does not come through (proxies
 * that buffer or refuse), and goes back to it as soon as it does. @returns how to end it
 */
export function followEvents(url: string, handlers: Handlers): () => void {
  let source: EventSource | null = null;
  let retry: Timer;
  let patience: Timer;
  let poll: ReturnType<typeof setInterval> | undefined;
  let hidden: Timer;
  let failures = 0;
  let missed = false;
  let ended = false;

  const stopPolling = () => {
    clearTimeout(patience);
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
  const waitOrPoll = () => {
    clearTimeout(patience);
    patience = setTimeout(startPolling, PATIENCE_MS);
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
    source = new EventSource(url);
    source.addEventListener('open', () => {
      failures = 0;
      stopPolling();
      handlers.onState('live');
      if (missed) handlers.onGap();
      missed = false;
    });
    source.addEventListener('error', () => {
      handlers.onBreak?.();
      // The browser reconnects by itself, with Last-Event-ID, unless the server refused or answered something else.
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
    // The server's word for "more was missed than I send again".
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
