import type { Config } from '../../config';
import { loadSeal } from '../../loadSeal';
import { createDb } from '../../db/core/client';
import { teamAtAddress } from '../../db/teams/teamAddress';
import type { OpenDatabase } from '../../db/core/embedded';
import { migrations } from '../../db/migrations';
import type { KmsRow } from '../../db/kms/kmsTable';
import { pinsOf } from '../../domain/kms/kmsKeys';
import type { TeepodRow } from '../../db/hosts/teepodsTable';
import { kmsOptionsOf } from '../../drivers/kms/clients';
import { createKmsDriver } from '../../drivers/kms/rpc';
import { createVmmRegistry } from '../../drivers/vmm/registry';
import { createVmmDriver } from '../../drivers/vmm/rpc';
import { appliedMigrations } from '../tables';
import { fail, ok, warn, type Finding } from './finding';

export interface Checked {
  config: Config;
  database: OpenDatabase;
  opened_ms: number;
}

const HOST_MS = 5_000;
/** Hosts or KMSs asked at a time. */
const BATCH_SIZE = 500;
const CLOCK_WARN_S = 2;
const CLOCK_FAIL_S = 30;

export async function checkDatabase({ database, opened_ms }: Checked): Promise<Finding> {
  const { rows } = await database.pool.query<{ v: string }>(`select current_setting('server_version') as v`);
  const name = `PostgreSQL ${rows[0]?.v.split(' ')[0]}, ${database.kind === 'embedded' ? 'managed by the server' : 'at DATABASE_URL'}`;
  const applied = await appliedMigrations(database.pool);
  const newer = applied.filter((migration) => !Object.hasOwn(migrations, migration));
  if (newer.length > 0)
    return fail(
      'database',
      `${name}, created by a newer version of Teehouse (${newer.join(', ')})`,
      'Start that release.',
    );
  const pending = Object.keys(migrations).filter((migration) => !applied.includes(migration));
  if (pending.length > 0)
    return fail(
      'database',
      `${name}, not up to date: ${pending.join(', ')}`,
      'Start the server, or run `teehouse migrate`.',
    );
  return ok('database', `${name}, opened in ${opened_ms} ms, up to date`);
}

/** Sessions, leases and signatures compare times from both clocks. */
export async function checkClock({ database }: Checked): Promise<Finding> {
  const before = Date.now();
  const { rows } = await database.pool.query<{ ms: string }>(
    `select (extract(epoch from clock_timestamp()) * 1000)::bigint::text as ms`,
  );
  const middle = (before + Date.now()) / 2;
  return clockFinding((Number(rows[0]?.ms) - middle) / 1000);
}

export function clockFinding(offset_s: number): Finding {
  const text = `the database's clock is ${Math.abs(offset_s).toFixed(1)} s ${offset_s < 0 ? 'behind' : 'ahead of'} this one`;
  const advice = 'Synchronize both machines with NTP.';
  if (Math.abs(offset_s) >= CLOCK_FAIL_S) return fail('clock', text, advice);
  return Math.abs(offset_s) >= CLOCK_WARN_S
    ? warn('clock', text, advice)
    : ok('clock', 'in sync with the database');
}

export async function checkHosts({ config, database }: Checked): Promise<Finding[]> {
  const db = createDb(database.pool);
  const after = (id: number) =>
    db.selectFrom('teepods').selectAll().where('id', '>', id).orderBy('id').limit(BATCH_SIZE).execute();
  if ((await after(0)).length === 0)
    return [
      config.localTeepod.enabled
        ? ok('hosts', 'none yet; the local teepod starts with the server')
        : warn('hosts', 'none: nothing can be deployed', 'Add a teepod in the admin area.'),
    ];
  const seal = await loadSeal(config);
  const registry = createVmmRegistry(createVmmDriver, (sealed) => seal.open('teepod-credential', sealed));
  try {
    return await findingsOf(after, async (teepod) => {
      try {
        const began = Date.now();
        const { version } = await registry.get(teepod).version({ signal: AbortSignal.timeout(HOST_MS) });
        return ok('host', `${teepod.name}: version ${version}, ${Date.now() - began} ms, ${teepod.state}`);
      } catch (error) {
        return hostFailure(teepod, messageOf(error));
      }
    });
  } finally {
    await registry.close();
  }
}

/** Returns a finding for every row. @param after returns some rows after an ID, in order */
async function findingsOf<Row extends { id: number }>(
  after: (id: number) => Promise<Row[]>,
  check: (row: Row) => Promise<Finding>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let rows = await after(0); rows.length > 0; rows = await after(rows.at(-1)?.id ?? 0))
    findings.push(...(await Promise.all(rows.map(check))));
  return findings;
}

function hostFailure(teepod: TeepodRow, text: string): Finding {
  if (teepod.state === 'offline') return ok('host', `${teepod.name}: set offline by an administrator`);
  if (teepod.kind === 'local')
    return warn('host', `${teepod.name}: ${text}`, 'The local teepod runs only while the server does.');
  return fail(
    'host',
    `${teepod.name}: ${text}`,
    'Check that its dstack-vmm is running, its address and credential in the admin area, and the network in between.',
  );
}

export async function checkKms({ database }: Checked): Promise<Finding[]> {
  const db = createDb(database.pool);
  const after = (id: number) =>
    db
      .selectFrom('kms')
      .selectAll()
      .where('state', '<>', 'retired')
      .where('id', '>', id)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute();
  return findingsOf(after, kmsFinding);
}

async function kmsFinding(kms: KmsRow): Promise<Finding> {
  const local = kms.slug === 'local';
  try {
    const driver = createKmsDriver(kmsOptionsOf(kms));
    const { k256_pubkey } = await driver
      .getMeta({ signal: AbortSignal.timeout(HOST_MS) })
      .finally(() => driver.close());
    if (kms.k256_pubkey === null)
      return warn(
        'kms',
        `${kms.slug}: no pinned root key`,
        'Pin its root key. Until then, nothing can be encrypted to it.',
      );
    return pinsOf(kms).includes(k256_pubkey.replace(/^0x/, '').toLowerCase())
      ? ok('kms', `${kms.slug}: responds with its pinned root key`)
      : fail(
          'kms',
          `${kms.slug}: its root key differs from the pinned one`,
          local
            ? "The local teepod's data was lost or replaced. Restore DATA_DIR/teepod from a copy."
            : 'Find out what responds at its address before deploying any secrets.',
        );
  } catch (error) {
    const text = `${kms.slug}: ${messageOf(error)}`;
    return local
      ? warn('kms', text, "The local teepod's KMS runs only while the server does.")
      : fail('kms', text, 'Check that it is running, its address and the network in between.');
  }
}

const messageOf = (error: unknown) =>
  error instanceof Error
    ? error.name === 'TimeoutError'
      ? `no response in ${HOST_MS / 1000} s`
      : error.message
    : String(error);

/** Finds a team whose slug equals AGENT_FRAMEWORK: both can't have pages there. */
export async function checkAgentFramework({ config, database }: Checked): Promise<Finding[]> {
  const team = await teamAtAddress(createDb(database.pool), config.agentFramework);
  return team === null
    ? []
    : [
        warn(
          'addresses',
          `AGENT_FRAMEWORK=${config.agentFramework} is also the address of the team “${team.name}”`,
          "Change the team's address in its settings, or choose another AGENT_FRAMEWORK.",
        ),
      ];
}
