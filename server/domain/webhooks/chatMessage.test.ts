import { describe, expect, it } from 'vitest';
import { deliveryBody } from './chatMessage';
import { newEventId, webhookBody, type WebhookEventKind, type WebhookPayload } from './webhook';

const SITE = 'https://cloud.example.test';
const CVM = 'b7a3c1f0-5d1e-4a55-9a06-0d9f4b6a2c11';
const APP = '6b1f0c9d2e4a8b7c5d3e1f0a9b8c7d6e5f4a3b2c';

interface Given {
  event?: WebhookEventKind;
  team?: string;
  title?: string;
  data?: Partial<WebhookPayload['data']>;
}
const told = ({ event = 'cvm.created', team = 'Acme', title, data = {} }: Given = {}) => ({
  event_id: newEventId(),
  event,
  at: new Date('2026-11-21T08:00:00Z'),
  team: { slug: 'acme', name: team },
  title,
  data: { cvm_id: CVM, cvm_name: 'web', app_id: APP, status: 'running', ...data },
});
const slack = (given?: Given) => {
  const { text, ...rest } = JSON.parse(deliveryBody('slack', told(given), SITE)) as Record<string, string>;
  expect(rest).toEqual({});
  return text!;
};
const discord = (given?: Given) => {
  const { content, ...rest } = JSON.parse(deliveryBody('discord', told(given), SITE)) as Record<
    string,
    string
  >;
  expect(rest).toEqual({ allowed_mentions: { parse: [] } });
  return content!;
};
/** Removes invisible characters. */
const seen = (text: string) => text.replaceAll('\u2060', '');

describe('a chat message', () => {
  it('names team, event and page in one or two sentences', () => {
    expect(slack()).toBe(`Team “Acme”: CVM “web” was deployed and has booted. ${SITE}/acme/cvms/${CVM}`);
    expect(discord()).toBe(slack());
    const error = 'No host has room for it.';
    expect(slack({ event: 'cvm.create_failed', data: { error } })).toContain(
      'CVM “web” couldn’t be deployed. No host has room for it. https',
    );
    expect(slack({ event: 'cvm.deleted' })).toMatch(/was deleted\. https:\/\/cloud\.example\.test\/acme$/);
    const domain = seen(slack({ event: 'domain.broken', data: { domain: 'shop.example.com' } }));
    expect(domain).toBe(
      `Team “Acme”: The domain “shop.example.com” no longer points to its app. ${SITE}/acme/apps/${APP}`,
    );
  });

  it('has the message of a budget, a reservation or a debt', () => {
    const none = { cvm_id: null, cvm_name: null, app_id: null };
    const message = '$8.00 of $10.00 are used: 80% of the monthly budget of web.';
    expect(slack({ event: 'budget.alert', data: { ...none, message } })).toBe(
      `Team “Acme”: ${message} ${SITE}/cost?team=acme`,
    );
    const due = '$5.00 is due. Unless it is settled, CVMs stop on 2026-11-24 (UTC).';
    expect(discord({ event: 'debt.alert', title: 'Payment due', data: { ...none, message: due } })).toBe(
      `Team “Acme”: Payment due. ${due} ${SITE}/debt-settlement?team=acme`,
    );
    const ends = 'It ends at 2026-11-24 08:30 UTC and is not renewed.';
    expect(
      slack({ event: 'order.ending', title: 'GPU month ends soon', data: { ...none, message: ends } }),
    ).toBe(`Team “Acme”: GPU month ends soon. ${ends} ${SITE}/cost?team=acme`);
  });

  it('says that it is a test', () => {
    expect(slack({ event: 'budget.used_up', data: { test: true } })).toBe(
      `This is a test for team “Acme”: A budget is used up. ${SITE}/acme/members?tab=webhooks`,
    );
  });

  const HOSTILE = [
    '<!channel>',
    '<!here|here>',
    '<@U012AB3CD>',
    '<https://evil.example|your invoice>',
    '&lt;!channel&gt;',
    '@everyone',
    '@here @channel @all',
    '<@&123456789012345678>',
    '<users/all>',
    '[your invoice](https://evil.example)',
    '![x](//evil.example/x.png)',
    'https://evil.example/login',
    'evil.example',
    'ada@evil.example',
    '```',
    '*Paid* ~~x~~ ||x|| __x__ _x_',
    ':rotating_light:',
    '”: all is well.\r\nTeam “Other',
    '\u202eevil\u202c',
  ];
  it.each(HOSTILE)('takes no mention, link or markup from %s', (name) => {
    const given: Given = {
      team: name,
      event: 'cvm.create_failed',
      data: { cvm_name: name, error: name.replaceAll(/[“”]/g, '') },
    };
    for (const text of [slack(given), discord(given)]) {
      // The link at the end is ours.
      const words = text.slice(0, text.lastIndexOf(` ${SITE}/acme/cvms/${CVM}`));
      expect(words.length).toBeLessThan(text.length);
      expect(words).not.toMatch(/[\r\n\u202a-\u202e]/);
      expect(words).not.toMatch(/:\/\/|@\w|\w\.example|:\w+:/);
      expect(words).not.toMatch(/(?<!\\)\]\(/);
      expect(words.match(/“/g)).toHaveLength(2);
    }
    expect(slack(given)).not.toMatch(/[<>`*~]|&\w|(?<!\w)_\w/);
    // The rest is escaped.
    expect(discord(given).replaceAll(/\\[\\*_~`|<>[\]]/g, '')).not.toMatch(/[\\*_~`|<>[\]]/);
  });

  it('keeps usual names readable', () => {
    for (const name of ['web_server_2', 'R&D', 'grüße 茶', 'v1.2', 'a-b'])
      expect(seen(slack({ data: { cvm_name: name } }))).toContain(`CVM “${name}” was`);
    expect(discord({ data: { cvm_name: 'web_server' } })).toContain(String.raw`“web\_server”`);
  });

  it.each(['[', '.a', '😀', '@', '&'])('stays below the limit of Discord with names full of %s', (part) => {
    const name = part.repeat(5_000);
    const given: Given = {
      event: 'order.ended',
      team: name,
      title: name,
      data: { cvm_name: name, message: name },
    };
    expect(discord(given).length).toBeLessThan(2_000);
    expect(slack(given).length).toBeLessThan(2_000);
    const failed: Given = { ...given, event: 'cvm.create_failed', data: { cvm_name: name, error: name } };
    expect(discord(failed).length).toBeLessThan(2_000);
    expect(discord(failed)).toContain(`${SITE}/acme/cvms/${CVM}`);
    // No character is cut in half.
    expect(() => encodeURIComponent(discord(failed))).not.toThrow();
  });
});

it('an event is sent as before', () => {
  const given = told({ event: 'order.ended', title: 'GPU month has ended', data: { message: 'It ended.' } });
  const { title, ...payload } = given;
  expect(deliveryBody('events', given, SITE)).toBe(webhookBody(payload));
  expect(deliveryBody('events', given, SITE)).not.toContain(title);
});
