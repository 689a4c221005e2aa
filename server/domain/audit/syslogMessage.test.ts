import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { framesIn, parseMessage } from '../../testing/syslogServer';
import { testEntry, type ExportedEntry } from './exportedEntry';
import { syslogFrame, syslogMessage } from './syslogMessage';

const entry = (more: Partial<ExportedEntry> = {}): ExportedEntry => ({
  ...testEntry(new Date('2026-11-21T08:00:00.123Z'), { id: 'usr_1', name: 'ann' }, 'req_1'),
  id: '42',
  seq: 7,
  action: 'cvm.delete',
  chain: 'wks_1',
  team: { id: 'wks_1', slug: 'acme' },
  target: { kind: 'cvm', id: 'cvm_1' },
  before: { status: 'running' },
  ...more,
});
const sent = (given: ExportedEntry) => {
  const { messages, rest } = framesIn(syslogFrame(syslogMessage(given, 'cloud.example.com')));
  expect([messages.length, rest.length]).toEqual([1, 0]);
  return parseMessage(messages[0] ?? '');
};

describe('an audit entry as a syslog message', () => {
  it('has its facility, time, host and action, its fields as structured data, and all of it as JSON', () => {
    const message = sent(entry());
    expect(message).toMatchObject({
      priority: 110,
      at: '2026-11-21T08:00:00.123Z',
      host: 'cloud.example.com',
      app: 'teehouse',
      id: 'cvm.delete',
      structure: 'audit@32473',
      params: {
        id: '42',
        action: 'cvm.delete',
        actor: 'ann',
        actor_id: 'usr_1',
        team: 'acme',
        team_id: 'wks_1',
        target: 'cvm_1',
        target_kind: 'cvm',
        request_id: 'req_1',
        chain: 'wks_1',
        seq: '7',
      },
    });
    expect(JSON.parse(message.message)).toEqual(entry());
  });

  const HOSTILE = [
    'a\nb',
    'a\r\n<110>1 2026-11-21T08:00:00Z cloud.example.com teehouse - user.delete [audit@32473 id="1"] {}',
    '"] [audit@32473 id="1"',
    '\\"] x="',
    '\\',
    'a\u0000b',
    '\u0085\u2028\u2029',
    'abc\u202Edcba',
    '茶'.repeat(10_000),
    'x'.repeat(10_000),
    ']"\\'.repeat(10_000),
    '\ud800',
    '12 <110>1',
  ];

  it.each(HOSTILE)('stays one message and one line no matter what its fields contain (%#)', (text) => {
    const message = sent(
      entry({
        actor: { kind: 'user', id: 'usr_1', name: text },
        target: { kind: 'cvm', id: text },
        team: { id: 'wks_1', slug: text },
        request_id: text,
        user_agent: text.slice(0, 400),
        before: { [text]: text },
        after: [text],
      }),
    );
    expect(message.raw).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    expect(Buffer.byteLength(message.raw)).toBeLessThanOrEqual(8_192);
    expect(message.params).toMatchObject({ id: '42', action: 'cvm.delete', actor_id: 'usr_1', seq: '7' });
    expect(JSON.parse(message.message)).toMatchObject({ id: '42' });
  });

  it('keeps any text intact', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const message = sent(entry({ actor: { kind: 'user', id: text, name: text }, user_agent: text }));
        expect(message.params).toMatchObject({ id: '42', target: 'cvm_1' });
        expect((JSON.parse(message.message) as ExportedEntry).user_agent).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps short text as it is', () => {
    const name = 'Zoë "the ]" \\ 茶';
    expect(sent(entry({ actor: { kind: 'user', id: 'usr_1', name } })).params.actor).toBe(name);
  });

  it('names the values that it omits because of their length', () => {
    const message = sent(entry({ before: 'x'.repeat(9_000), after: { n: 1 } }));
    expect(JSON.parse(message.message)).toMatchObject({
      id: '42',
      action: 'cvm.delete',
      before: null,
      after: null,
      omitted: ['before', 'after'],
    });
  });

  it('has a placeholder for a host and an action without printable characters', () => {
    expect(sent(entry({ action: 'ä b' })).id).toBe('b');
    expect(parseMessage(String(syslogMessage(entry({ action: ' ' }), '')))).toMatchObject({
      host: '-',
      id: '-',
    });
  });
});
