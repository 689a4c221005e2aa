import { hexToBytes } from '../../lib/bytes';

/** Payloads that are hashes or IDs are always shown as hex. */
const HEX_EVENTS: ReadonlySet<string> = new Set([
  'app-id',
  'compose-hash',
  'instance-id',
  'os-image-hash',
  'rootfs-hash',
  'init-script-hash',
  'gpu-policy-hash',
  'ca-cert-hash',
  'mr-kms',
]);

/** Returns an event's payload as text; null if its bytes aren't text. */
export function payloadText(event: string, payload: string): string | null {
  if (payload === '' || HEX_EVENTS.has(event)) return null;
  const bytes = hexToBytes(payload);
  if (!bytes) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
  // Control and formatting characters could disguise the text.
  return /^[\P{C}\n\t]*$/u.test(text) ? text : null;
}

export interface ShownEvent {
  position: number;
  register: string;
  /** Events before the system's own: firmware, kernel, command line. */
  boot: boolean;
  event: string;
  payload: string;
  text: string | null;
  digest: string;
}

const MAX_SHOWN = 1000;

/**
 * Parses event log entries for display; null if it isn't a list. Invalid entries are dropped; verification reports
 * them.
 */
export function shownEvents(log: string | undefined): ShownEvent[] | null {
  if (log === undefined) return null;
  let entries: unknown;
  try {
    entries = JSON.parse(log);
  } catch {
    return null;
  }
  if (!Array.isArray(entries)) return null;
  const word = (value: unknown) => (typeof value === 'string' ? value : '');
  return entries.slice(0, MAX_SHOWN).flatMap((entry: unknown, i) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { imr, event, event_payload, digest } = entry as Readonly<Record<string, unknown>>;
    const name = word(event);
    return [
      {
        position: i + 1,
        boot: imr !== 3,
        register: `RTMR${typeof imr === 'number' ? imr : '?'}`,
        event: name,
        payload: word(event_payload),
        text: payloadText(name, word(event_payload)),
        digest: word(digest),
      },
    ];
  });
}
