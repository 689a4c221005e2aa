import type { Logger } from 'pino';
import type { AiUpstreamRow } from '../../db/ai/aiTables';
import { noteAiUpstreamCheck } from '../../db/ai/aiUpstreams';
import { isArchived } from '../../db/apps/apps';
import type { Db } from '../../db/core/client';
import type { Seal } from '../../domain/core/seal';
import type { AiServers } from '../../drivers/ai';
import { eachDue } from '../core/dueRows';
import { MORE } from '../core/periodic';

const ANSWER_MS = 5_000;
const AGAIN_MINUTES = 1;
/** If none answers, this is 1,200 upstreams per minute. */
const AT_ONCE = 100;
/** Upstreams per run; the rest is due in the next, which starts immediately. */
const PER_RUN = 500;

interface UpstreamChecker {
  db: Db;
  seal: Seal;
  ai: AiServers;
}

/** Checks AI upstreams not checked for a minute. */
export async function checkDueAiUpstreams({
  log,
  stopping,
  ...worker
}: UpstreamChecker & { log: Logger; stopping?: AbortSignal }): Promise<typeof MORE | undefined> {
  const hasMore = await eachDue(
    worker.db,
    {
      table: 'ai_upstreams',
      looked_at: 'checked_at',
      minutes: AGAIN_MINUTES,
      limit: AT_ONCE,
      most: PER_RUN,
      stopping,
    },
    (row) => checkAiUpstream(worker, row, row.checked_at),
    (row, err) => log.error({ err, upstream: row.name }, "couldn't check an AI upstream"),
  );
  return hasMore ? MORE : undefined;
}

const NO_CVM = 'The app has no CVM.';
const NOT_CHECKED = 'Not checked from here: only gateways in a TEE may use this upstream.';

/**
 * Requests an upstream's models and stores whether that works. Upstreams that must prove what they run first
 * aren't called: this server can't verify the proof, so an impostor would get the API key. The same goes for
 * the address of an app without a CVM.
 * @param taken_at when the worker took the upstream, so that the check counts in its uptime
 */
export async function checkAiUpstream(
  { db, seal, ai }: UpstreamChecker,
  row: Pick<AiUpstreamRow, 'id' | 'url' | 'sealed_api_key' | 'evidence_required' | 'app_id'>,
  taken_at: Date | null = null,
): Promise<void> {
  if (row.app_id !== null && (await isArchived(db, row.app_id)))
    return noteAiUpstreamCheck(db, row, { health: 'failing', last_error: NO_CVM });
  if (row.evidence_required)
    return noteAiUpstreamCheck(db, row, { health: 'unchecked', last_error: NOT_CHECKED });
  const api_key = row.sealed_api_key && seal.open('ai-upstream', row.sealed_api_key);
  const problem = await ai.check({ url: row.url, api_key, timeout_ms: ANSWER_MS });
  const health = problem === null ? 'ok' : 'failing';
  await noteAiUpstreamCheck(db, row, { health, last_error: problem }, taken_at);
}
