import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, it, vi } from 'vitest';
import type { InstanceTypeFamilyList, Session } from '../../../../generated/api/types.gen';
import { sessionOptions } from '../../../api/session';
import { instanceTypesOptions } from '../deploy/queries';
import { DeployModelPage } from './DeployModelPage';

afterEach(() => void vi.unstubAllGlobals());

const SIZE = {
  id: 'h200.small',
  name: 'One H200',
  description: 'In confidential mode.',
  family: 'gpu',
  vcpu: 24,
  memory_mb: 262_144,
  default_disk_size_gb: 100,
  hourly_rate: '3.5',
  requires_gpu: true,
  gpu_count: 1,
};

function shown(role: string, permissions: string[]): string {
  vi.stubGlobal('location', { pathname: '/dashboard/deploy/model' });
  const queryClient = new QueryClient();
  queryClient.setQueryData(sessionOptions().queryKey, {
    user: { id: 'usr_a', email_verified: true },
    teams: [{ slug: 'acme', name: 'Acme', role, permissions, has_host: true }],
  } as unknown as Session);
  queryClient.setQueryData(instanceTypesOptions().queryKey, {
    result: [{ items: [SIZE] }],
  } as unknown as InstanceTypeFamilyList);
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterContextProvider router={router}>
        <DeployModelPage teamSlug="acme" onStart={() => undefined} />
      </RouterContextProvider>
    </QueryClientProvider>,
  );
}

it('refuses a viewer above the form, which is read-only', () => {
  const html = shown('viewer', []);
  const refusal = html.indexOf('You can’t deploy in this team.');
  expect(refusal).toBeGreaterThan(0);
  expect(refusal).toBeLessThan(html.indexOf('<form'));
  expect(html).toMatch(/<fieldset disabled=""/);
  expect(html).toContain('This form is read-only.');
});

it('lets a member fill it in', () => {
  const html = shown('member', ['cvms.write']);
  expect(html).toContain('<form');
  expect(html).not.toMatch(/You can’t deploy|form is read-only|<fieldset disabled/);
});
