import { expect, it } from 'vitest';
import type { PageView } from '../lib/public/site';
import { DEFAULT_SITE } from '../lib/public/siteContent';
import { renderPage } from './render';

const view = (app_name: string): PageView => ({
  page: {
    page: 'watch',
    watch: { app_name, app_id: 'a'.repeat(40), trust: null, is_confirmed: true, is_webhook: false },
    token: 'thk_watch_1',
  },
  path: '/explorer/watch',
  public_url: 'http://localhost',
  signed_in: false,
  can_register: true,
  agent_framework: 'eliza',
  security_contact: null,
  hosts: { has_hardware: true, is_open: true },
  has_mail: true,
  site: DEFAULT_SITE,
});

it('truncates a long app name in a title between two characters', () => {
  expect(renderPage(view(`${'a'.repeat(49)}🚀`)).title).toBe(`Watch ${'a'.repeat(49)} · Explorer`);
});
