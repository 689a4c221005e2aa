import type { Logger } from 'pino';
import type { Db, Tx } from '../db/client';
import {
  applyDiagnosis,
  claimDueDomains,
  deleteOrphanDomains,
  instancesOf,
  releaseDeadDomains,
  releaseDomain,
  type DomainInstance,
} from '../db/domains';
import type { DomainRow } from '../db/schemaDomains';
import { composeFacts } from '../domain/composeFacts';
import { diagnose, type DomainDiagnosis } from '../domain/dnsDiagnosis';
import type { Expected } from '../domain/dnsFacts';
import { storedDomain, type DomainName } from '../domain/domains';
import { domainsUnserved } from '../domain/endpoints';
import type { DnsDriver } from '../drivers/dns';
import { isDeadWorker } from './workerId';

const AT_ONCE = 8;
/** Every question of a check is asked at once and given up after 12 s (three servers, two rounds). */
const CHECK_MS = 30_000;
const ORPHANS_MS = 60_000;

/** What DNS has to say for a domain to lead to these instances, and where that would be. */
export function expectationOf(
  { cvm_id, port }: Pick<DomainRow, 'cvm_id' | 'port'>,
  instances: readonly DomainInstance[],
): { expected: Expected; gateways: string[] } | null {
  const [first] = instances;
  if (!first) return null;
  const unserved = instances.map((one) => domainsUnserved(one, composeFacts(one).gateway_enabled));
  const serving = instances.filter((_, i) => unserved[i] === null);
  const gateways = serving.flatMap(({ gateway_base_domain }) => gateway_base_domain ?? []);
  return {
    gateways: [...new Set(gateways)],
    expected: {
      // Before its first boot a CVM has no id of its own; the app's leads to it as long as it is the only one.
      target: cvm_id === null ? first.app_id : (first.instance_id ?? first.app_id),
      app_id: first.app_id,
      instance_ids: instances.flatMap(({ instance_id }) => instance_id ?? []),
      port,
      unserved: serving.length > 0 ? null : (unserved[0] ?? null),
    },
  };
}

/** Asks DNS and judges. Null when there is no CVM any more that the domain could lead to. */
export async function lookAtDomain(
  { db, dns }: { db: Db | Tx; dns: DnsDriver },
  row: Pick<DomainRow, 'app_id' | 'cvm_id' | 'port'>,
  name: DomainName,
  signal: AbortSignal,
): Promise<DomainDiagnosis | null> {
  const wanted = expectationOf(row, await instancesOf(db, row));
  if (!wanted) return null;
  return diagnose(await dns.gather(name, wanted.gateways, signal), wanted.expected);
}

export interface DomainCheckerOptions {
  db: Db;
  dns: DnsDriver;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
}

export interface DomainChecker {
  /** Begins with whatever is due: added, to be looked at again, or left by a worker that died. */
  sweep(): Promise<void>;
  /** Resolves when nothing is being looked at. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Looks at domains until they are right, then daily. Any number of processes may: a domain belongs to whoever holds its lease. */
export function createDomainChecker({ db, dns, log, owner }: DomainCheckerOptions): DomainChecker {
  const running = new Map<number, Promise<void>>();
  const stopping = new AbortController();
  let orphans_at = 0;

  async function check(row: DomainRow): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(CHECK_MS), stopping.signal]);
    try {
      const diagnosis = await lookAtDomain({ db, dns }, row, storedDomain(row.domain), signal);
      // Its app has just ended: the next look at orphans removes it.
      if (!diagnosis) return;
      await db.transaction().execute((trx) => applyDiagnosis(trx, row.id, diagnosis));
      log.debug({ domain: row.domain, state: diagnosis.state }, 'domain looked at');
    } catch (error) {
      if (stopping.signal.aborted) await releaseDomain(db, row.id, owner);
      // Else its lease runs out, and it is looked at again.
      else log.warn({ err: error, domain: row.domain }, 'a domain could not be looked at');
    }
  }

  return {
    async sweep() {
      if (stopping.signal.aborted) return;
      if (Date.now() - orphans_at > ORPHANS_MS) {
        orphans_at = Date.now();
        await deleteOrphanDomains(db);
      }
      await releaseDeadDomains(db, (holder) => holder !== owner && isDeadWorker(holder));
      const free = AT_ONCE - running.size;
      if (free <= 0) return;
      for (const row of await claimDueDomains(db, owner, free))
        running.set(
          row.id,
          check(row).finally(() => running.delete(row.id)),
        );
    },
    async idle() {
      await Promise.all(running.values());
    },
    async stop() {
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}
