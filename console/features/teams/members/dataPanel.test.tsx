import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Session, SessionTeam } from '../../../../generated/api/types.gen';
import { sessionOptions } from '../../../api/session';
import { RETENTION } from '../../../lib/activity/retention';
import { DataPanel } from './DataPanel';

beforeAll(() => void vi.stubGlobal('location', { pathname: '/acme/members' }));
afterAll(() => void vi.unstubAllGlobals());

function shown(permissions: string[]): string {
  const queryClient = new QueryClient();
  const team = { slug: 'acme', name: 'Acme', permissions } as unknown as SessionTeam;
  queryClient.setQueryData(sessionOptions().queryKey, { teams: [team] } as unknown as Session);
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <DataPanel team={team} />
    </QueryClientProvider>,
  ).replaceAll('&amp;', '&');
}
const href = (path: string, format: string) =>
  `href="/api/v1/workspaces/acme/${path}/export?format=${format}"`;

it('says how long each kind is kept, and links to its exports', () => {
  const html = shown(['cvms.read', 'apps.read', 'webhooks.read', 'ai.read']);
  expect(html).toContain('Kept for 30 days, and the newest 10,000 of each webhook');
  expect(html).toContain('Kept for 400 days, and the newest 100,000 of each CVM');
  for (const path of ['events', 'webhook-deliveries', 'rollouts', 'ai-requests'])
    for (const format of ['csv', 'jsonl']) expect(html).toContain(href(path, format));
});

it('offers no export that the member may not have', () => {
  const html = shown(['cvms.read', 'apps.read']);
  expect(html).toContain(href('events', 'csv'));
  expect(html).not.toContain('webhook-deliveries/export');
  expect(html).not.toContain('ai-requests/export');
});

it('promises a notice only for data whose deletion is announced', () => {
  const html = shown([]);
  // Metrics are overwritten in place.
  expect(RETENTION.metrics.announced).toBeNull();
  expect(html).toContain('Metrics are deleted without notice');
});
