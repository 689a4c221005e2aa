import { QueryClient } from '@tanstack/react-query';
import { isNotFound, isRedirect } from '@tanstack/react-router';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { client } from '../../../generated/api/client.gen';
import type { CvmDetail, Session } from '../../../generated/api/types.gen';
import { toApiError } from '../../api/apiError';
import { loadAdminCvm, loadAppCvm, loadDashboardCvm, loadTeamCvm } from './load';
import { cvmOptions } from './queries';

const UUID = '5cb6e747-9b77-4b00-8581-37450954f721';
const APP = 'ab12'.repeat(10);

/** The fake server's CVMs, by team and identifier. */
let known: Record<string, Partial<CvmDetail> | 'ambiguous'>;
let asked: string[];
let queryClient: QueryClient;

const web: Partial<CvmDetail> = {
  id: 'cvm_1',
  vm_uuid: UUID,
  name: 'web-1',
  app_id: APP,
  compose_file: null,
  app_name: 'web',
};

beforeEach(() => {
  known = {};
  asked = [];
  queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
});

// Test files share the client.
const before = client.getConfig();
afterAll(() => void client.setConfig(before));
client.setConfig({
  baseUrl: 'http://console.test/api/v1',
  fetch: async (request) => {
    const { headers, url } = request as Request;
    const key = `${headers.get('X-Workspace')}/${decodeURIComponent(url.split('/').at(-1) ?? '')}`;
    asked.push(key);
    const found = known[key];
    if (found === undefined)
      return Response.json({ detail: { message: 'none', error_code: 'ERR-03-001' } }, { status: 404 });
    if (found === 'ambiguous')
      return Response.json(
        {
          code: 'ERR-03-010',
          detail: {
            error_code: 'ERR-03-010',
            message: 'Several',
            details: [
              { field: 'vm_uuid', value: UUID, message: 'web-1' },
              { field: 'vm_uuid', value: UUID.replace('5', '6'), message: 'web-2' },
            ],
          },
        },
        { status: 400 },
      );
    return Response.json(found);
  },
});
client.interceptors.error.use((error, response) => toApiError(error, response));

const asks = (teamSlug: string, identifier: string, href: string) => ({
  queryClient,
  teamSlug,
  identifier,
  href,
});
const outcome = (loading: Promise<unknown>) => loading.catch((thrown: unknown) => thrown);
const sentTo = (thrown: unknown) => (isRedirect(thrown) ? thrown.options.href : thrown);

describe('/{team}/cvms/{vm_uuid}', () => {
  test('loads the CVM with its app in the breadcrumb', async () => {
    known[`acme/${UUID}`] = web;
    expect(await loadTeamCvm(asks('acme', UUID, `/acme/cvms/${UUID}/logs`))).toEqual({
      crumb: 'web-1',
      crumbs_above: [{ label: 'web', href: `/acme/apps/${APP}` }],
      cvm_address: { by: 'team', teamSlug: 'acme', vmUuid: UUID, base: `/acme/cvms/${UUID}` },
    });
  });
  test('redirects any other identifier to the CVM’s own URL', async () => {
    known['acme/web-1'] = web;
    const thrown = await outcome(loadTeamCvm(asks('acme', 'web-1', '/acme/cvms/web-1/logs?source=web#x')));
    expect(sentTo(thrown)).toBe(`/acme/cvms/${UUID}/logs?source=web#x`);
  });
  test('offers a choice when an identifier matches several', async () => {
    known[`acme/app_${APP}`] = 'ambiguous';
    const loaded = await loadTeamCvm(asks('acme', `app_${APP}`, `/acme/cvms/app_${APP}`));
    expect(loaded).toMatchObject({ choices: [{ vmUuid: UUID, name: 'web-1' }, { name: 'web-2' }] });
  });
});

describe('/{team}/apps/{app_id}/cvms/{vm_uuid}', () => {
  test('is not found under another app', async () => {
    known[`acme/${UUID}`] = web;
    const appId = '0'.repeat(40);
    const href = `/acme/apps/${appId}/cvms/${UUID}`;
    expect(isNotFound(await outcome(loadAppCvm({ ...asks('acme', UUID, href), appId })))).toBe(true);
  });
  test('normalizes the app ID', async () => {
    known[`acme/${UUID}`] = web;
    const href = `/acme/apps/app_${APP}/cvms/${UUID}/kms`;
    const thrown = await outcome(loadAppCvm({ ...asks('acme', UUID, href), appId: `app_${APP}` }));
    expect(sentTo(thrown)).toBe(`/acme/apps/${APP}/cvms/${UUID}/kms`);
  });
});

describe('/dashboard/cvms/{cvm_identifier}', () => {
  const session = {
    teams: [
      { slug: 'acme', refused: null },
      { slug: 'shut', refused: 'second_factor_required' },
      { slug: 'beta', refused: null },
    ],
  } as unknown as Session;
  const href = '/dashboard/cvms/web-1/logs';
  const load = () => outcome(loadDashboardCvm({ ...asks('acme', 'web-1', href), session }));

  test('keeps the URL and lets pages find the CVM by vm_uuid', async () => {
    known['acme/web-1'] = web;
    expect(await load()).toMatchObject({
      crumb: 'web-1',
      cvm_address: { by: 'dashboard', vmUuid: UUID, base: '/dashboard/cvms/web-1' },
    });
    expect(queryClient.getQueryData(cvmOptions('acme', UUID).queryKey)).toMatchObject({ name: 'web-1' });
    expect(asked).toEqual(['acme/web-1']);
  });
  test('redirects to the team that owns the CVM', async () => {
    known['beta/web-1'] = web;
    expect(sentTo(await load())).toBe(`/beta/cvms/${UUID}/logs`);
    // Teams that reject this session aren't queried.
    expect(asked).toEqual(['acme/web-1', 'beta/web-1']);
  });
  test('reports an unknown CVM as not found', async () => {
    expect(isNotFound(await load())).toBe(true);
  });
});

describe('/admin/cvms/{cvm_identifier}', () => {
  const href = `/admin/cvms/${UUID}`;
  // The admin operation belongs to no team.
  const load = (found: Record<string, unknown>) => {
    known[`null/${UUID}`] = { id: UUID, name: 'web-1', team_slug: 'acme', ...found } as Partial<CvmDetail>;
    return outcome(loadAdminCvm({ queryClient, identifier: UUID, href }));
  };

  test('loads a CVM of any team', async () => {
    known[`acme/${UUID}`] = web;
    expect(await load({ deleted_at: null })).toMatchObject({
      crumb: 'web-1',
      cvm_address: { by: 'admin', teamSlug: 'acme', vmUuid: UUID, base: href },
    });
  });
  test('reports that a CVM was deleted instead of “not found”', async () => {
    expect(await load({ deleted_at: '2026-11-28T12:00:00Z' })).toMatchObject({
      crumb: 'web-1',
      deleted: { name: 'web-1' },
      teamSlug: 'acme',
    });
    expect(asked).toEqual([`null/${UUID}`]);
  });
});
