import type { Logger } from 'pino';
import type { Db, Tx } from '../../db/core/client';
import {
  applyDiagnosis,
  deleteOrphanDomains,
  domainLeases,
  instancesOf,
  postponeCheck,
  type DomainInstance,
} from '../../db/network/domains';
import type { DomainRow } from '../../db/network/domainsTable';
import { composeFacts } from '../../domain/apps/composeFacts';
import { diagnose, type DomainDiagnosis } from '../../domain/network/dnsDiagnosis';
import type { Expected } from '../../domain/network/dnsFacts';
import { storedDomain, type DomainName } from '../../domain/network/domains';
import { domainsUnserved } from '../../domain/network/endpoints';
import type { DnsDriver } from '../../drivers/dns';
import { deadExcept } from '../core/workerId';

const MAX_CONCURRENT = 8;
/** A check sends all its queries concurrently and gives up after 12 s (three servers, two rounds). */
const CHECK_MS = 30_000;
const ORPHANS_MS = 60_000;

/** Returns the DNS data that routes a domain to these instances. */
function expectationOf(
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
      // Before its first boot a CVM has no instance ID. The app ID routes to it while it is the only one.
      target: cvm_id === null ? first.app_id : (first.instance_id ?? first.app_id),
      app_id: first.app_id,
      instance_ids: instances.flatMap(({ instance_id }) => instance_id ?? []),
      port,
      unserved: serving.length > 0 ? null : (unserved[0] ?? null),
    },
  };
}

/** Queries DNS and evaluates the result. Null when the domain has no CVM left to route to. */
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
  /** Starts all due work: new domains, repeated checks, or checks left by a worker that died. */
  sweep(): Promise<void>;
  /** Resolves when no check is in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Checks domains until they are correct, then daily. Any number of processes may run it: the lease holder
 * checks a domain.
 */
export function createDomainChecker({ db, dns, log, owner }: DomainCheckerOptions): DomainChecker {
  const running = new Map<number, Promise<void>>();
  const stopping = new AbortController();
  let orphans_at = 0;

  async function check(row: DomainRow): Promise<void> {
    const signal = AbortSignal.any([AbortSignal.timeout(CHECK_MS), stopping.signal]);
    try {
      const diagnosis = await lookAtDomain({ db, dns }, row, storedDomain(row.domain), signal);
      // Its CVM was deleted: it may be restored, or the orphan removal deletes the domain.
      if (!diagnosis) return await postponeCheck(db, row.id, owner);
      await db.transaction().execute((trx) => applyDiagnosis(trx, row.id, diagnosis));
      log.debug({ domain: row.domain, state: diagnosis.state }, 'domain checked');
    } catch (error) {
      if (stopping.signal.aborted) await domainLeases.release(db, row.id, owner);
      // Unless the process is stopping, the lease expires and the domain is checked again.
      else log.warn({ err: error, domain: row.domain }, "couldn't check a domain");
    }
  }

  return {
    async sweep() {
      if (stopping.signal.aborted) return;
      if (Date.now() - orphans_at > ORPHANS_MS) {
        orphans_at = Date.now();
        await deleteOrphanDomains(db);
      }
      await domainLeases.releaseHeldBy(db, deadExcept(owner));
      const free = MAX_CONCURRENT - running.size;
      if (free <= 0) return;
      for (const row of await domainLeases.claim(db, owner, free, { order: 'next_check_at' }))
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
