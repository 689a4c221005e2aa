import { withoutChanges, type ExportedEntry } from './exportedEntry';

/*
 * Audit entries as syslog messages (RFC 5424): the fields used for searching as structured data, the whole
 * entry as JSON in the message.
 */

/** Facility 13, log audit; severity 6, informational. */
const PRIORITY = 13 * 8 + 6;
/** Bytes of a message that every receiver should accept (RFC 5425 §4.3.1). */
const MAX_MESSAGE = 8_192;
/** Bytes of a parameter's value, before escaping. */
const MAX_VALUE = 200;
/** 32473 is the enterprise number for uses without their own (RFC 5612). */
const STRUCTURE = 'audit@32473';

/** @param host of the installation's address */
export function syslogMessage(entry: ExportedEntry, host: string): Buffer {
  const header = `<${PRIORITY}>1 ${entry.at} ${name(host, 255)} teehouse - ${name(entry.action, 32)} `;
  const head = Buffer.from(`${header}${structuredData(entry)} `);
  const contents: object[] = [entry, withoutChanges(entry), { id: entry.id, omitted: 'all' }];
  for (const content of contents) {
    const message = Buffer.concat([head, Buffer.from(asciiJson(content))]);
    if (message.length <= MAX_MESSAGE) return message;
  }
  return head;
}

/**
 * Frames by octet counting, over TLS (RFC 5425 §4.3) and over TCP (RFC 6587 §3.4.1), so no text can end a
 * message.
 */
export const syslogFrame = (message: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${message.length} `), message]);

function structuredData({ actor, team, target, ...entry }: ExportedEntry): string {
  const params: [string, string | null][] = [
    ['id', entry.id],
    ['action', entry.action],
    ['actor', actor.name],
    ['actor_id', actor.id],
    ['actor_kind', actor.kind],
    ['on_behalf_of', entry.on_behalf_of],
    ['token', entry.token],
    ['team', team?.slug ?? null],
    ['team_id', team?.id ?? null],
    ['target', target?.id ?? null],
    ['target_kind', target?.kind ?? null],
    ['request_id', entry.request_id],
    ['ip', entry.ip],
    ['chain', entry.chain],
    ['seq', String(entry.seq)],
    ['hash', entry.hash],
  ];
  const given = params.flatMap(([key, value]) => (value === null ? [] : ` ${key}="${paramValue(value)}"`));
  return `[${STRUCTURE}${given.join('')}]`;
}

/** Control characters, line and paragraph separators, and marks that reorder text on a screen. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/**
 * RFC 5424 §6.3.3: `"`, `\` and `]` are escaped. Characters that could end a line of a log file are replaced.
 */
const paramValue = (text: string) =>
  clipped(text.replace(UNSAFE, '\uFFFD'), MAX_VALUE).replace(/["\\\]]/g, '\\$&');

/** Cuts after the last whole character within this many bytes of UTF-8. */
function clipped(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let bytes = 0;
  let kept = '';
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max - 3) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** A header field: printable ASCII without spaces, or `-` for none (§6). */
const name = (text: string, max: number) => text.replace(/[^\x21-\x7e]/g, '').slice(0, max) || '-';

/** Escapes everything but printable ASCII, so that the message needs no byte order mark (§6.4) and has no line end. */
const asciiJson = (value: object) =>
  JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
