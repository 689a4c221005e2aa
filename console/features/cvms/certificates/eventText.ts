import { hexToBytes } from '../../../lib/bytes';

/** Payloads that are hashes or ids: shown as they are, not as the text their bytes happen to be. */
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

/** What an event's payload says, when its bytes are text; null when they are not. */
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
  // Control and formatting characters could make it look like something else.
  return /^[\P{C}\n\t]*$/u.test(text) ? text : null;
}

export interface ShownEvent {
  position: number;
  register: string;
  /** Before the system's own events: firmware, kernel, command line. */
  boot: boolean;
  event: string;
  payload: string;
  text: string | null;
  digest: string;
}

const MOST_SHOWN = 1000;

/** Entries of an event log for people; null when it is not a list. What is no entry is left out: verifying says so. */
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
  return entries.slice(0, MOST_SHOWN).flatMap((entry: unknown, i) => {
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
