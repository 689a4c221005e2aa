import { expect, test } from 'vitest';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import type { HostFacts, PublicPage } from '../../../../console/lib/public/site';
import { NO_HOST_YET } from '../../../../console/lib/texts/noHost';
import { renderPage } from '../../../../console/public/render';

const NO_TEE = 'This server has no TEE hardware yet';
const CLOSED = NO_HOST_YET.advice;

const bodyOf = (page: PublicPage, hosts: HostFacts, signed_in = false, can_register = true) =>
  renderPage({
    page,
    path: '/',
    public_url: 'http://localhost',
    signed_in,
    can_register,
    agent_framework: 'eliza',
    security_contact: null,
    hosts,
    has_mail: true,
    site: DEFAULT_SITE,
  }).body;

const PAGES: PublicPage[] = [
  { page: 'home', offers: [], use_cases: [] },
  { page: 'about' },
  { page: 'pricing', offers: [], quote: { type: 'tdx.small', count: 1, hours: 730, disk: 20 }, ignored: [] },
  { page: 'gpu', offers: [], stock: [] },
  { page: 'cases', use_cases: [] },
  { page: 'agent', framework: 'eliza', offer: null },
  { page: 'templates', templates: [] },
  { page: 'mcp_servers', templates: [] },
];

test.each(PAGES)(
  '$page states before its promises that hosts are simulated and not open to everyone',
  (page) => {
    const html = bodyOf(page, { has_hardware: false, is_open: false });
    const [start = ''] = html.split('<h2>');
    expect(start).toContain(NO_TEE);
    expect(start).toContain(CLOSED);
    const open = bodyOf(page, { has_hardware: true, is_open: true });
    expect(open).not.toContain(NO_TEE);
    expect(open).not.toContain(CLOSED);
    expect(bodyOf(page, { has_hardware: true, is_open: false }, true)).not.toContain(CLOSED);
  },
);

test('the home page states this before its example report', () => {
  const html = bodyOf({ page: 'home', offers: [], use_cases: [] }, { has_hardware: false, is_open: true });
  expect(html.indexOf(NO_TEE)).toBeLessThan(html.indexOf('price-oracle'));
});

test('the GPU page asks visitors, but not members, to create an account', () => {
  const hosts = { has_hardware: true, is_open: true };
  const [visitor, member] = [false, true].map((signed_in) =>
    bodyOf({ page: 'gpu', offers: [], stock: [] }, hosts, signed_in),
  );
  expect(visitor).toContain('href="/register"');
  expect(member).not.toContain('href="/register"');
  expect(member).toContain('href="/dashboard/gpu-tee"');
});

test('no page offers an account that visitors can’t create', () => {
  const hosts = { has_hardware: true, is_open: true };
  for (const page of PAGES) {
    const html = bodyOf(page, hosts, false, false);
    expect(html, page.page).not.toContain('href="/register"');
    expect(html, page.page).toContain('href="/login"');
  }
});
