import { describe, expect, it } from 'vitest';
import { mailAddress, renderMail, type MailTemplate } from '.';
import { cardExpiryNotice } from '../../billing/cardExpiry';
import { lowBalanceNotice } from '../../billing/lowBalance';
import { parseSmtpUrl } from './smtpUrl';
import { samples, TOKEN } from './testing/samples';

const site = { brand: 'Acme & Sons', url: 'https://cloud.example.test' };
const all = Object.keys(samples()) as MailTemplate[];
const rendered = (template: MailTemplate, name?: string) =>
  renderMail(template, samples(name)[template], site);
const linksIn = (html: string) => [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? '');

it('names the installation', () => {
  const { subject, html } = rendered('verify_email');
  expect(subject).toBe('Confirm your email address for Acme & Sons');
  expect(html).toContain('>Acme &amp; Sons</td>');
});

describe.each(all)('%s', (template) => {
  it('has the same content in text and HTML', () => {
    const { subject, text, html } = rendered(template);
    expect(subject.length).toBeLessThan(120);
    const shown = html
      .replace(/<style>[^]*?<\/style>|<title>[^]*?<\/title>/g, '')
      .replace(/<\/?a\b[^>]*>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&amp;', '&')
      .replaceAll('&#39;', "'");
    for (const line of text
      .split('\n')
      .filter((one) => one && one !== '--' && !one.includes('Acme & Sons, ')))
      for (const part of line.split(/(?<=^.{1,14}): +|:$/).filter(Boolean))
        expect(shown).toContain(part.trim());
  });

  it("links only to this server's pages, and loads nothing", () => {
    const { text, html } = rendered(template);
    for (const link of linksIn(html)) expect(new URL(link).origin).toBe(site.url);
    for (const [address] of text.matchAll(/https?:\/\/[^\s]+/g))
      expect([site.url, 'https://id.example.test']).toContain(new URL(address).origin);
    expect(html).not.toMatch(/<img|<link|<script|url\(|@import|<iframe|src=/i);
  });

  it('is readable in both color schemes', () => {
    const { html } = rendered(template);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    // Every colored element has a dark counterpart.
    for (const [tag] of html.matchAll(
      /<(?:p|td|h1|a|table|body)\b[^>]*?(?:[;" ]color:|background-color:|border[^:;]*:[^;]*#)[^>]*>/g,
    ))
      expect(tag).toMatch(/class="[^"]*(canvas|surface|line|text|muted|link|button|on)/);
  });

  it('escapes markup in names', () => {
    const name =
      'x\r\nBcc: eve@evil.test\r\n\r\n<script>alert(1)</script><img src=https://evil.test/p.png>" onload="';
    const { subject, text, html } = rendered(template, name);
    expect(subject).not.toMatch(/[\r\n]/);
    // Text wraps at any space of the name, but nothing adds a blank line.
    expect(text).not.toMatch(/\r|\n\n<script/);
    expect(html).not.toMatch(/<script|<img| onload="/);
  });

  it('never turns a name into a link', () => {
    const { subject, text, html } = rendered(template, `https://evil.test/win ${'very '.repeat(400)}`);
    expect(subject.length).toBeLessThan(300);
    expect(`${subject}${text}${html}`).not.toMatch(/evil\.test|https:\/\/evil/);
    expect(text.length).toBeLessThan(3_000);
  });
});

describe('links', () => {
  const pagesWithToken: [MailTemplate, string][] = [
    ['verify_email', 'verify-email'],
    ['email_change_confirm_old', 'verify-email'],
    ['email_change_confirm_new', 'verify-email'],
    ['reset_password', 'reset-password'],
    ['invitation', 'invite'],
  ];
  it.each(pagesWithToken)('%s: the page for its token, as a button and in full', (template, page) => {
    const { text, html } = rendered(template);
    const link = `${site.url}/${page}/${TOKEN}`;
    expect(text).toContain(`\n${link}\n`);
    expect(linksIn(html).filter((href) => href === link)).toHaveLength(2);
    expect(html).toContain(`>${link}</a>`);
  });
});

it('has the changed lines of a Compose file verbatim, and links to a page with all of them', () => {
  const { text } = rendered('app_changed', 'registry.example/web:v1.2');
  expect(text).toContain('+     image: nginx:1.27\n');
  expect(text).toContain('dstack-0.5.8');
  expect(text).not.toContain('registry.example');
  expect(text).toContain(`${site.url}/explorer/50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1/versions/8\n`);
  expect(text).toContain('within ten minutes');
});

describe('addresses', () => {
  it.each(['ada@example.test', 'a.b+tag@sub.example.test', "o'neil@example.test", 'jürgen@münchen.test'])(
    'accepts %s',
    (address) => expect(mailAddress(address)).toBe(address),
  );
  it.each([
    'a@b.test\r\nBcc: eve@evil.test',
    'a@b.test\nSubject: x',
    'a@b.test, eve@evil.test',
    'Ada <a@b.test>',
    '"a"@b.test',
    'a@b@c.test',
    'a b@c.test',
    'a@b.test\u0000',
    'plain',
    '',
    `${'a'.repeat(250)}@b.test`,
  ])('rejects %j', (address) => expect(() => mailAddress(address)).toThrow('not a single email address'));
});

describe('SMTP_URL', () => {
  it('requires encryption for a remote server', () => {
    expect(parseSmtpUrl('smtp://me:p%40ss@mail.example.test')).toEqual({
      host: 'mail.example.test',
      port: 587,
      secure: false,
      tls: 'required',
      loopback: false,
      user: 'me',
      password: 'p@ss',
    });
    expect(parseSmtpUrl('smtps://mail.example.test')).toMatchObject({ port: 465, secure: true });
    expect(parseSmtpUrl('smtp://relay.internal:25?tls=off')).toMatchObject({ port: 25, tls: 'off' });
    expect(parseSmtpUrl('smtp://localhost:2525').tls).toBe('offered');
    expect(parseSmtpUrl('smtp://[::1]:2525')).toMatchObject({ host: '::1', tls: 'offered' });
    expect(parseSmtpUrl('smtp://127.0.0.1.evil.test').tls).toBe('required');
  });
  it.each([
    'http://x.test',
    'smtp://',
    'smtp://x.test?tls=none',
    'smtps://x.test?tls=off',
    'smtp://x.test?pool=1',
  ])('rejects %s', (url) => expect(() => parseSmtpUrl(url)).toThrow(TypeError));
});

it('a digest about money says so, for any notices', () => {
  const { notification_digest: digest } = samples();
  const item = digest.items[0]!;
  const items = ['Payment received', 'Credit granted'].map((title) => ({
    ...item,
    title,
    message: title,
    vm_uuid: null,
  }));
  const { subject, text } = renderMail('notification_digest', { ...digest, kind: 'payment', items }, site);
  expect(subject).toBe('2 notices about payments and credits');
  expect(text.replaceAll(/\s+/g, ' ')).toContain('receive notifications about payments and credits');
  expect(text).toContain(`${site.url}/setup-billing?team=`);
  expect(text).not.toContain('failed');
});

it("a digest about money is titled by the payer's required action", () => {
  const { notification_digest: digest } = samples();
  const item = { ...digest.items[0]!, vm_uuid: null, resolved_at: null as Date | null };
  const low = { ...item, title: 'The balance runs out within three days', urgent: true };
  const others = ['Your balance was corrected', 'Payment received'].map((title) => ({
    ...item,
    title,
    urgent: false,
  }));
  const subjectOf = (items: (typeof low)[]) =>
    renderMail('notification_digest', { ...digest, kind: 'payment', items, more: 0 }, site).subject;
  expect(subjectOf([low, others[0]!])).toBe('The balance runs out within three days, and 1 other notice');
  expect(subjectOf([...others, low])).toBe('The balance runs out within three days, and 2 other notices');
  // Funds have been added in the meantime.
  expect(subjectOf([{ ...low, resolved_at: new Date() }, others[0]!])).toBe(
    '2 notices about payments and credits',
  );
});

it('a digest about hosts counts only hosts that stopped responding', () => {
  const { notification_digest: digest } = samples();
  const item = { ...digest.items[0]!, resolved_at: null as Date | null };
  const subjectOf = (items: (typeof digest)['items']) =>
    renderMail('notification_digest', { ...digest, kind: 'host_trouble', items, more: 0 }, site).subject;
  const silent = (host: string) => ({
    ...item,
    title: `The host ${host} isn’t responding`,
    silent_host: host,
  });
  expect(subjectOf([silent('tee-1'), silent('tee-2')])).toBe('2 hosts stopped responding');
  // Two teams have CVMs on it.
  expect(subjectOf([silent('tee-1'), silent('tee-1')])).toBe('The host tee-1 isn’t responding');
  const drained = ['web', 'db', 'cache'].map((name) => ({ ...item, title: `${name} will be stopped` }));
  expect(subjectOf(drained)).toBe('cache will be stopped, and 2 other notices');
  const spared = ['web', 'db'].map((name) => ({
    ...item,
    title: `${name} won’t be stopped`,
    message: 'Its host stays in service',
    resolved_at: new Date(),
  }));
  expect(subjectOf(spared)).toBe('Resolved: db won’t be stopped, and 1 other notice');
  expect(subjectOf([silent('tee-1'), drained[0]!])).toBe('web will be stopped, and 1 other notice');
});

it.each([
  [
    lowBalanceNotice(24, { cap: 0, balance: 23_990_000, runs_out_at: new Date('2030-12-05T16:00:00Z') }),
    'The balance runs out within a day',
    '$23.99 is left, which lasts until December 5, 2030, 16:00 UTC at current usage.',
  ],
  [
    cardExpiryNotice({ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 }),
    'The saved card expires soon',
    'Visa ending in 4242 expires at the end of December 2030.',
  ],
])('a warning to payers leads to the billing page (%#)', (notice, subject, says) => {
  const { notification_digest: digest } = samples();
  const items = [{ ...digest.items[0]!, ...notice, vm_uuid: null, count: 1, resolved_at: null }];
  const mail = renderMail('notification_digest', { ...digest, kind: 'payment', items, more: 0 }, site);
  expect(mail.subject).toBe(subject);
  expect(mail.text.replaceAll('\u2060', '').replaceAll(/\s+/g, ' ')).toContain(says);
  expect(mail.text).toContain(`${site.url}/setup-billing?team=`);
});

it('a subject keeps amounts, times and names unchanged', () => {
  const { notification_digest: digest } = samples();
  const title = 'Approval requested: Grant a credit, $500.00, for web.example.test';
  const message = 'It expires on November 30, 2026, 18:39 UTC.';
  const items = [{ ...digest.items[0]!, title, message, resolved_at: null }];
  const mail = renderMail('notification_digest', { ...digest, kind: 'finance_action', items, more: 0 }, site);
  expect(mail.subject).toContain('$500.00');
  expect(mail.subject.replaceAll('\u2060', '')).toBe(title);
  expect(mail.subject).not.toContain('web.example');
  expect(mail.text.replaceAll(/\s+/g, ' ')).toContain('November 30, 2026, 18:39 UTC');
});
