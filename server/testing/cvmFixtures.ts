import { randomBytes, randomUUID } from 'node:crypto';
import { buildAppCompose, sha256Hex } from '../../console/lib/compose/composeHash';
import type { Db } from '../db/core/client';
import type { AppRow } from '../db/apps/appsTable';
import type { CvmChange, CvmRow } from '../db/cvms/cvmsTable';
import type { KmsRow } from '../db/kms/kmsTable';
import type { OperationRow } from '../db/activity/operationsTable';
import type { RevisionRow } from '../db/apps/revisionsTable';
import type { TeepodRow } from '../db/hosts/teepodsTable';
import type { LogReader } from '../domain/logs/logUrls';
import { publicId } from '../domain/core/publicId';
import { hashToken, newToken } from '../domain/teams/token';

/** Creates rows as the operations write them, for tests of reads. Nothing here contacts a host. */

export const COMPOSE = `services:
  web:
    image: nginx:alpine@sha256:${'a'.repeat(64)}
    ports:
      - "80:80"
      - "8080:81"
    environment:
      GREETING: \${GREETING}
`;

export interface TestHost {
  kms: KmsRow;
  teepod: TeepodRow;
}

export async function insertHost(
  db: Db,
  given: { name?: string; url?: string; kind?: TeepodRow['kind']; chain_id?: number; region?: string } = {},
): Promise<TestHost> {
  const name = given.name ?? `host-${randomBytes(3).toString('hex')}`;
  const kms = await db
    .insertInto('kms')
    .values({
      public_id: publicId('kms'),
      slug: `kms-${name}`,
      type: given.chain_id ? 'base' : 'phala',
      url: 'http://127.0.0.1:9/kms',
      chain_id: given.chain_id ?? null,
      kms_contract_address: given.chain_id ? `0x${'1'.repeat(40)}` : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const node = await db
    .insertInto('nodes')
    .values({ name, region: given.region ?? 'eu-west' })
    .returningAll()
    .executeTakeFirstOrThrow();
  const teepod = await db
    .insertInto('teepods')
    .values({
      node_id: node.id,
      kms_id: kms.id,
      name,
      kind: given.kind ?? 'local',
      url: given.url ?? 'http://127.0.0.1:9',
      reachable: true,
      version: '0.6.0',
      engine: 'docker',
      max_cvms: 100,
      max_vcpu: 100,
      max_memory_mb: 100_000,
      max_disk_gb: 1000,
      gateway_base_domain: 'cvm.localhost:8999',
      // Not during a test: the host is what its row says.
      facts_due_at: new Date(Date.now() + 86_400_000),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto('os_images')
    .values({
      name: 'dstack-0.6.0',
      slug: 'dstack-0.6.0-00000000',
      version: '0.6.0',
      os_image_hash: 'cd'.repeat(32),
      os_image_hash_source: 'administrator',
    })
    // By name or slug, because hosts are inserted concurrently.
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { kms, teepod };
}

export interface TestApp {
  app: AppRow;
  revision: RevisionRow;
}

export async function insertApp(
  db: Db,
  given: { team_id: number; user_id?: number; host: TestHost; name: string; compose?: string },
): Promise<TestApp> {
  const app = await db
    .insertInto('apps')
    .values({
      public_id: publicId('prj'),
      app_id: randomBytes(20).toString('hex'),
      team_id: given.team_id,
      kms_id: given.host.kms.id,
      name: given.name,
      created_by: given.user_id ?? null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { app, revision: await insertRevision(db, { app, number: 1, ...given }) };
}

export async function insertRevision(
  db: Db,
  given: {
    app: AppRow;
    number: number;
    name: string;
    user_id?: number;
    compose?: string;
    pre_launch_script?: string;
    correlation_id?: string;
  },
): Promise<RevisionRow> {
  const docker_compose_file = given.compose ?? COMPOSE;
  const { bytes, compose_hash } = buildAppCompose({
    name: given.name,
    docker_compose_file,
    pre_launch_script: given.pre_launch_script,
    allowed_envs: ['GREETING'],
  });
  return db
    .insertInto('revisions')
    .values({
      public_id: publicId('rev'),
      app_id: given.app.id,
      number: given.number,
      app_compose: bytes,
      compose_hash,
      docker_compose_file,
      pre_launch_script: given.pre_launch_script ?? null,
      allowed_envs: ['GREETING'],
      os_image: 'dstack-0.6.0',
      operation_type: given.number === 1 ? 'deploy' : 'update',
      correlation_id: given.correlation_id ?? null,
      created_by: given.user_id ?? null,
      live_at: given.number === 1 ? new Date() : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function insertCvm(
  db: Db,
  given: TestApp & { host: TestHost; user_id?: number; change?: CvmChange },
): Promise<CvmRow> {
  return db
    .insertInto('cvms')
    .values({
      public_id: publicId('cvm'),
      vm_uuid: randomUUID(),
      team_id: given.app.team_id,
      app_id: given.app.id,
      revision_id: given.revision.id,
      teepod_id: given.host.teepod.id,
      kms_id: given.host.kms.id,
      name: `${given.app.name}-c${randomBytes(3).toString('hex')}`,
      status: 'running',
      host_vm_id: randomUUID(),
      instance_id: randomBytes(20).toString('hex'),
      instance_type: 'tdx.small',
      vcpu: 1,
      memory_mb: 2048,
      disk_gb: 20,
      hourly_rate_micros: 58_000,
      os_image: 'dstack-0.6.0',
      env_pubkey: sha256Hex('env pubkey'),
      public_logs: true,
      public_sysinfo: true,
      public_tcbinfo: true,
      storage_fs: 'zfs',
      boot_progress: 'done',
      started_at: new Date(Date.now() - 724_000),
      created_by: given.user_id ?? null,
      ...given.change,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Leased far into the future, so that no worker takes it. */
export async function insertOperation(
  db: Db,
  cvm: CvmRow,
  given: Partial<Pick<OperationRow, 'type' | 'state' | 'target' | 'error_code' | 'error_message'>> = {},
): Promise<OperationRow> {
  const live = !given.state || given.state === 'queued' || given.state === 'running';
  return db
    .insertInto('operations')
    .values({
      correlation_id: randomUUID(),
      team_id: cvm.team_id,
      cvm_id: cvm.id,
      type: 'restart',
      state: 'running',
      target: 'running',
      steps: JSON.stringify([
        {
          name: 'stop',
          state: 'done',
          started_at: '2026-11-21T08:00:00Z',
          finished_at: '2026-11-21T08:00:05Z',
        },
        { name: 'boot', state: 'running', started_at: '2026-11-21T08:00:05Z' },
      ]),
      requested_by: cvm.created_by,
      lease_owner: live ? 'test' : null,
      lease_until: live ? new Date(Date.now() + 3_600_000) : null,
      started_at: new Date(),
      finished_at: live ? null : new Date(),
      deadline_at: new Date(Date.now() + 600_000),
      ...given,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Creates an API token of the user for the team and returns it in plaintext. */
export async function insertToken(
  db: Db,
  who: { team_id: number; user_id: number },
  scopes: string[] = ['*'],
): Promise<string> {
  const token = newToken('api');
  await db
    .insertInto('api_tokens')
    .values({
      public_id: publicId('tok'),
      ...who,
      name: 'test',
      token_hash: hashToken(token),
      token_prefix: token.slice(0, 12),
      scopes,
    })
    .execute();
  return token;
}

export async function identityOf(db: Db, email: string): Promise<{ team_id: number; user_id: number }> {
  return db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.user_id', 'users.id')
    .select(['memberships.team_id', 'users.id as user_id'])
    .where('users.email', '=', email)
    .executeTakeFirstOrThrow();
}

/** Returns the user a log URL is signed for, by their newest session. */
export async function logReaderOf(db: Db, user_id: number): Promise<LogReader> {
  const { id } = await db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user_id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { user_id, session_id: id, token_id: null, as_staff: false, staff_user_id: null };
}
