import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { AiGateway, AiKey, Session } from '../../../generated/api/types.gen';
import { sessionOptions } from '../../api/session';
import { AiApiPage } from './AiApiPage';
import { gatewayOptions, keysOptions } from './queries';

beforeAll(() => void vi.stubGlobal('location', { pathname: '/dashboard/confidential-ai-api' }));
afterAll(() => void vi.unstubAllGlobals());

const key = {
  id: 'aik_1',
  name: 'Bot',
  hint: 'thk_ai_…',
  budget: null,
  budget_period: 'month',
  revoked_at: null,
  expires_at: null,
} as AiKey;

interface Shown {
  keys?: AiKey[];
  is_enabled?: boolean;
  permissions?: string[];
  tab?: 'playground';
}

function page({ keys = [key], is_enabled = true, permissions = ['ai.write', 'team.settings'], tab }: Shown) {
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    teams: [{ slug: 'acme', name: 'Acme', role: 'member', permissions }],
  } as unknown as Session);
  queryClient.setQueryData(gatewayOptions('acme').queryKey, {
    base_url: 'https://ai.example.test/v1',
    is_enabled,
    is_in_tee: false,
    others: [],
    models: [],
  } satisfies AiGateway);
  queryClient.setQueryData(keysOptions('acme').queryKey, keys);
  const search = { team: undefined, tab, model: undefined };
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <AiApiPage teamSlug="acme" search={search} />
    </QueryClientProvider>,
  ).replace(/<style.*?<\/style>/gs, '');
}

it('begins with the key that enables the API, for a team without one', () => {
  const first = page({ keys: [] });
  expect(first).toContain('Create a key to enable the API');
  expect(first.indexOf('Create a key to enable')).toBeLessThan(first.indexOf('Base URL'));
  const later = page({});
  expect(later).not.toContain('to enable the API');
  expect(later.indexOf('Create key')).toBeGreaterThan(later.indexOf('Base URL'));
});

it('says that the API is off, and lets those who may turn it on', () => {
  const off = page({ is_enabled: false });
  expect(off).toContain('The AI API is off for this team.');
  expect(/<button[^>]*>[^<]*Turn on/.exec(off)?.[0]).not.toContain('disabled');
  expect(/<input[^>]*role="switch"[^>]*>/.exec(off)?.[0]).not.toContain('checked');
  const on = page({});
  expect(on).not.toContain('is off for this team');
  expect(/<input[^>]*role="switch"[^>]*>/.exec(on)?.[0]).toContain('checked');
  const member = page({ is_enabled: false, permissions: ['ai.write'] });
  expect(/<input[^>]*role="switch"[^>]*>/.exec(member)?.[0]).toContain('disabled');
});

it('shows no key as one that works, and sends nothing, while the API is off', () => {
  const off = page({ is_enabled: false });
  expect(off).toContain('API off');
  expect(off).not.toContain('Active');
  expect(page({})).toContain('Active');
  expect(page({ is_enabled: false, keys: [] })).not.toContain('to enable the API');
  // Described by the reason why it is unavailable.
  const send = (shown: string) => /<button[^>]*type="submit"[^>]*>/.exec(shown)?.[0];
  expect(send(page({ is_enabled: false, tab: 'playground' }))).toContain('aria-describedby');
  expect(send(page({ tab: 'playground' }))).not.toContain('aria-describedby');
});
