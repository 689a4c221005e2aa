import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from '../../tools/run';
import { rssMb } from '../logHost';
import type { Options, Part } from '../report';
import { register } from '../seed';
import { startNode } from '../serverProcess';
import { capacityFaults, countsOf, operationFaults, vmFaults } from './chaosChecks';
import { beginChaos, send, type Chaos } from './chaosEvents';
import type { Report } from './chaosHosts';
import { beginWork, createTeams, type Work } from './chaosWork';
import { insertHosts, untilReached, withInstallation, WORKERS, type Installation } from './installation';

const TEAMS = 3;
const PER_SECOND = 4;
/** Time after the last event until nothing is in progress and everything is consistent. */
const SETTLING_SECONDS = 300;

/**
 * Teams work while processes are killed and stopped, the database restarts and hosts hang. `CHAOS_SECONDS` sets how long,
 * `CHAOS_SEED` repeats a run's events.
 */
export async function fleetChaos({ quick, say }: Options): Promise<Part> {
  const seconds = Number(process.env.CHAOS_SECONDS ?? (quick ? 75 : 600));
  const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1_000_000));
  const hosts = quick ? 200 : 1_000;
  return withInstallation(
    { simulator: 'chaosHosts.ts', worker: { RECONCILE_SECONDS: '10' }, durable: true },
    async (installation) => {
      const { simulator, web, db, workers, startWorkers } = installation;
      send(simulator, { start: hosts });
      const [urls] = (await once(simulator, 'message')) as [string[]];
      const { session } = await register(web.url);
      const teams = await createTeams(web.url, session, TEAMS);
      await db.connection().execute((one) => insertHosts(one, urls));
      await startWorkers();
      say(`${hosts} hosts`);
      await untilReached(db, hosts);
      say(`${seconds} s of chaos, CHAOS_SEED=${seed}`);
      const until = Date.now() + seconds * 1000;
      const chaos = beginChaos({ installation, hosts, seed, until, say });
      const work = beginWork({ web, session, teams, seed, perSecond: PER_SECOND, until });
      await Promise.all([chaos.ended, work.ended]);
      say('settling');
      const settled = await settle(installation, urls, work);
      const counts = await countsOf(db);
      const memory = Math.max(...workers.map(({ pid }) => rssMb(pid)));
      const verified = await verify(installation);
      return {
        title: 'Chaos',
        how: `${TEAMS} teams change CVMs on ${hosts} simulated hosts through one web process, ${PER_SECOND} times a second for ${seconds} s, while ${WORKERS} workers and one PostgreSQL are killed, stopped and restarted, and hosts hang and fail, at moments of seed ${seed}. Afterwards, database and hosts are compared.`,
        rows: [
          { what: 'events', figures: list(chaos.counts) },
          { what: 'changes acknowledged', figures: list(byAction(work)) },
          { what: 'other replies, by status', figures: list(work.others) },
          { what: 'operations', figures: counts.operations },
          { what: 'failures', figures: counts.failures },
          { what: 'CVMs', figures: counts.cvms },
          { what: 'VMs', figures: `${settled.report.vms.length}, ${settled.report.created.length} created` },
          { what: 'memory of a worker', figures: `${memory.toFixed(0)} MB at most`, aim: '300 MB' },
          {
            what: 'recovered after',
            figures: settled.faults.length === 0 ? `${settled.seconds.toFixed(0)} s` : 'not',
            aim: `${SETTLING_SECONDS} s`,
          },
        ],
        faults: [...settled.faults, ...faultsOf(chaos, work), ...(verified === null ? [] : [verified])],
      };
    },
  );
}

const list = (counts: ReadonlyMap<string | number, number>): string =>
  [...counts].map(([what, n]) => `${n} ${what}`).join(', ') || 'none';

function byAction({ acknowledged }: Work): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { action } of acknowledged) counts.set(action, (counts.get(action) ?? 0) + 1);
  return counts;
}

function faultsOf({ exits }: Chaos, { odd }: Work): string[] {
  return [...exits, ...odd.slice(0, 10).map((reply) => `unexpected reply, one of ${odd.length}: ${reply}`)];
}

/** Waits until no violation remains. Returns the remaining ones. */
async function settle(
  { db, simulator }: Installation,
  urls: readonly string[],
  { acknowledged }: Work,
): Promise<{ faults: string[]; seconds: number; report: Report }> {
  for (const began = Date.now(); ; await wait(2_000)) {
    send(simulator, 'report');
    const [report] = (await once(simulator, 'message')) as [Report];
    const faults = [
      ...(await operationFaults(db, acknowledged)),
      ...(await capacityFaults(db)),
      ...(await vmFaults(db, report, urls)),
    ];
    const seconds = (Date.now() - began) / 1000;
    if (faults.length === 0 || seconds > SETTLING_SECONDS) return { faults, seconds, report };
  }
}

/** Returns the findings of `teehouse verify`; null without any. */
async function verify({ postgres, dataDir }: Installation): Promise<string | null> {
  const child = startNode([path.join(ROOT, 'dist/server/cli.js'), 'verify'], {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0 ? null : `teehouse verify exited with ${code}`;
}
