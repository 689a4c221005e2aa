import { findCvm } from '../../db/cvms/cvmLookup';
import { modelServerState, stoppedServer } from '../../domain/ai/modelServerState';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import { InProgress } from '../core/inProgress';
import { probeTarget, publicUrl } from '../network/reachability';
import type { Handler } from '../types';

/** Longer than a probe's steps take, which have their own limits. */
const CHECK_MS = 20_000;

const requests = new InProgress(
  { team: 8, all: 64 },
  'Too many model servers are being checked. Try again in 10 s.',
);

export const getCvmModelServer: Handler<'getCvmModelServer'> = async ({ path, query, ctx }) => {
  const team = teamOf(ctx);
  const row = await findCvm(ctx.db, team.id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  // The app's address, which stays when its CVM is replaced.
  const address = publicUrl(row, { port: query.port, form: 'http', of: 'app' });
  const url = new URL('/v1', address).href;
  const checked_at = () => new Date().toISOString();
  const { status } = row.cvm;
  if (status !== 'running')
    return { status: 200, body: { ...stoppedServer(status), base_url: url, checked_at: checked_at() } };
  const leave = requests.enter(team.id);
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(CHECK_MS)]);
    const target = { ...probeTarget(row, address, 'http'), path: '/health' };
    const state = modelServerState(await ctx.probe.reach(target, signal), row.teepod.kind);
    return { status: 200, body: { ...state, base_url: url, checked_at: checked_at() } };
  } finally {
    leave();
  }
};
