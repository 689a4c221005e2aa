import type { Logger } from 'pino';
import {
  auditDestinationLeases,
  leaseDueDestinations,
  noteDelivered,
  noteNotDelivered,
  renewDestination,
} from '../../db/audit/auditDestinations';
import type { AuditDestinationRow } from '../../db/audit/auditDestinationsTable';
import { auditEntriesAfter } from '../../db/audit/auditExport';
import { createAuditHorizon } from '../../db/audit/auditHorizon';
import type { Db } from '../../db/core/client';
import { MAX_BATCH_ENTRIES, nextAttempt } from '../../domain/audit/auditBatch';
import { toExportedEntry } from '../../domain/audit/exportedEntry';
import { createInProgress } from '../core/inProgress';
import { deadExcept } from '../core/workerId';
import { ATTEMPT_MS, deliverEntries, type AuditOutlets, type Outcome } from './deliverEntries';

/** Destinations that this process delivers to concurrently. */
const MAX_CONCURRENT = 4;
/** Deliveries to one destination before its lease is released, so that others get their turn. */
const IN_A_ROW = 50;
/** Time for deliveries to finish when the process drains. */
const GRACE_MS = 3_000;

export interface AuditExporterOptions extends AuditOutlets {
  db: Db;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
  now?: () => Date;
  /** Time limit of one delivery. */
  attempt_ms?: number;
}

export interface AuditExporter {
  /** Starts deliveries to the destinations that are due. */
  sweep(): Promise<void>;
  /** Resolves when no delivery is in progress. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Delivers the audit log to its destinations in ID order, at least once: a destination's cursor advances only
 * after it accepted the entries. Any number of processes may run it; only the lease holder serves a
 * destination.
 */
export function createAuditExporter({
  db,
  log,
  owner,
  now = () => new Date(),
  attempt_ms = ATTEMPT_MS,
  ...outlets
}: AuditExporterOptions): AuditExporter {
  const serving = createInProgress(GRACE_MS);
  const horizon = createAuditHorizon(db);

  async function serve(id: number, up_to: number): Promise<void> {
    try {
      for (let count = 0; count < IN_A_ROW && !serving.stopping.aborted; count++) {
        const destination = await renewDestination(db, id, owner);
        if (!destination || !(await deliver(destination, up_to))) break;
      }
    } finally {
      await auditDestinationLeases.release(db, id, owner);
    }
  }

  /** @returns whether more may be due */
  async function deliver(destination: AuditDestinationRow, up_to: number): Promise<boolean> {
    const rows = await auditEntriesAfter(db, {
      after: destination.delivered_id,
      up_to,
      limit: MAX_BATCH_ENTRIES,
    });
    if (rows.length === 0) return false;
    const about = { destination: destination.name, first: rows[0]?.id };
    let outcome: Outcome;
    try {
      outcome = await deliverEntries(outlets, destination, rows.map(toExportedEntry), {
        at: now(),
        timeout_ms: attempt_ms,
        signal: serving.cut,
      });
    } catch (error) {
      // Aborted midway: whether the entries arrived is unknown, so they are sent again.
      if (serving.cut.aborted) return false;
      log.error({ ...about, err: error }, "couldn't send audit entries");
      outcome = { error: 'Internal error. The server’s log has the reason.' };
    }
    const at = now();
    if ('error' in outcome) {
      const next = nextAttempt(destination.failures + 1, at);
      await noteNotDelivered(db, destination, { owner, error: outcome.error, at, next });
      log.warn({ ...about, reason: outcome.error }, 'audit entries not delivered; retrying');
      return false;
    }
    const last = rows[outcome.delivered - 1]?.id;
    if (last === undefined) return false;
    log.debug({ ...about, last }, 'audit entries delivered');
    return noteDelivered(db, destination, { owner, up_to: last, at });
  }

  return {
    async sweep() {
      if (serving.stopping.aborted) return;
      await auditDestinationLeases.releaseHeldBy(db, deadExcept(owner));
      const limit = MAX_CONCURRENT - serving.size;
      if (limit <= 0) return;
      const up_to = await horizon.settled();
      for (const id of await leaseDueDestinations(db, { owner, at: now(), up_to, limit }))
        serving.add(serve(id, up_to), (error) =>
          log.error({ err: error, destination: id }, 'failed to process an audit destination'),
        );
    },
    idle: () => serving.idle(),
    stop: () => serving.stop(),
  };
}
