import type { AdminTeepod, CurrentUser, Provision } from '../../../generated/api/types.gen';
import { startFakeVmm, type FakeOptions, type FakeVmm } from '../../../server/drivers/vmm/fake';
import { expect, type Page } from '../browser';
import { callApi } from '../support';

export interface OwnHost {
  fake: FakeVmm;
  id: number;
  name: string;
  /** The administrator's own team, the only one that can deploy there. */
  team: string;
}

const unique = () => Math.random().toString(36).slice(2, 8);

/**
 * Adds a fake dstack-vmm host with the built-in host's key service. Only the signed-in administrator's team can
 * deploy on it, because other tests deploy on any host.
 */
export async function addOwnHost(page: Page, options: FakeOptions = {}): Promise<OwnHost> {
  const fake = await startFakeVmm(options);
  const builtIn = await builtInHost(page);
  const { node_id, kms_id } = builtIn;
  const name = `pod-${unique()}`;
  const size = { max_vcpu: 256, max_memory_mb: 2_000_000, max_disk_gb: 10_000 };
  const data = { name, url: fake.url, node_id, kms_id, ...size, all_teams: false };
  const { id } = await callApi<AdminTeepod>(page, 'post', '/admin/teepods', { data });
  return { fake, id, name, team: await allowOwnTeam(page, id) };
}

/** Restricts a host to the built-in host's key service and the administrator's team. Returns the team. */
export async function makeOwn(page: Page, id: number): Promise<string> {
  const { kms_id } = await builtInHost(page);
  const data = { kms_id, max_disk_gb: 1000, all_teams: false };
  await callApi(page, 'patch', `/admin/teepods/${id}`, { data });
  return allowOwnTeam(page, id);
}

async function builtInHost(page: Page): Promise<AdminTeepod> {
  const filter = encodeURIComponent(JSON.stringify({ kind: 'local' }));
  const [host] = await callApi<AdminTeepod[]>(page, 'get', `/admin/teepods?filter=${filter}`);
  if (!host) throw new Error('there is no built-in host');
  return host;
}

async function allowOwnTeam(page: Page, id: number): Promise<string> {
  const { workspace } = await callApi<CurrentUser>(page, 'get', '/auth/me');
  const team_slug = workspace.slug ?? '';
  await callApi(page, 'post', `/admin/teepods/${id}/allow-team`, { data: { team_slug } });
  return team_slug;
}

/** Deploys a CVM on the host and waits until it runs. Returns its UUID. */
export async function deployOn(page: Page, { id, team }: Pick<OwnHost, 'id' | 'team'>, name: string) {
  const docker_compose_file = 'services:\n  web:\n    image: nginx:alpine\n';
  const data = { name, teepod_id: id, compose_file: { docker_compose_file } };
  const { app_id, compose_hash } = await callApi<Provision>(page, 'post', '/cvms/provision', { team, data });
  const { vm_uuid } = await callApi<{ vm_uuid: string }>(page, 'post', '/cvms', {
    team,
    data: { app_id, compose_hash },
  });
  await untilCvm(page, team, vm_uuid, 'running');
  return vm_uuid;
}

export interface ReadCvm {
  status: string;
  in_progress: boolean;
  instance_id: string | null;
}

export const readCvm = (page: Page, team: string, vm_uuid: string) =>
  callApi<ReadCvm>(page, 'get', `/cvms/${vm_uuid}`, { team });

const untilCvm = (page: Page, team: string, vm_uuid: string, status: string) =>
  expect.poll(() => readCvm(page, team, vm_uuid)).toMatchObject({ status, in_progress: false });
