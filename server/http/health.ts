import type { Express } from 'express';
import { sql } from 'kysely';
import type { Db } from '../db/core/client';

/** `/healthz`: the process responds. `/readyz`: it should receive traffic (database reachable, not draining). */
export function mountHealth(app: Express, db: Db, draining: AbortSignal): void {
  app.get('/healthz', (_req, res) => void res.type('text/plain').send('ok\n'));
  // Console pages poll every few seconds while disconnected: they all share one query.
  let asking: Promise<boolean> | undefined;
  const isAnswering = () =>
    (asking ??= sql`select 1`
      .execute(db)
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined)));
  app.get('/readyz', async (_req, res) => {
    if (draining.aborted) return void res.status(503).json({ ready: false, reason: 'shutting down' });
    const answered = await isAnswering();
    res
      .status(answered ? 200 : 503)
      .json(answered ? { ready: true } : { ready: false, reason: "the database isn't responding" });
  });
}
