import { closeAiConsult, findOpenAiConsult, releaseAiHold, shortenAiHold } from '../../db/ai/aiConsults';
import type { CallingGateway } from '../../db/ai/aiGateways';
import { settleAiRequests } from '../../db/ai/aiRequests';
import { upstreamIdNamed } from '../../db/ai/aiUpstreams';
import { withTransaction } from '../../db/core/client';
import { chargedUsage, endingOf, endpointOf, type ConsultReport } from '../../domain/ai/control';
import { upstreamOfRoute } from '../../domain/ai/evidence';
import { costPicos } from '../../domain/ai/usage';
import type { Services } from '../../operations/types';

/** Maximum stored duration. */
const MAX_MS = 2_147_483_647;
const stored = (ms: number | null) => (ms === null ? null : Math.min(ms, MAX_MS));

/**
 * Records a gateway's report, once per request however often it is reported, with the prices at admission.
 * @returns whether it was recorded now
 */
export async function recordReport(
  { db }: Pick<Services, 'db'>,
  gateway: CallingGateway,
  report: ConsultReport,
): Promise<boolean> {
  const id = report.virtualKeyId ?? null;
  const consult = id === null ? undefined : await findOpenAiConsult(db, gateway.id, id);
  if (!consult) return false;
  const ending = endingOf(report, consult.estimated_input_tokens);
  if (ending === 'failed_attempt' || ending === 'refused_attempt') {
    await (ending === 'failed_attempt' ? shortenAiHold : releaseAiHold)(db, consult.hold_id);
    return false;
  }
  const prices = {
    input: consult.input_price_micros,
    cached_input: consult.cached_input_price_micros,
    output: consult.output_price_micros,
  };
  const usage = chargedUsage(ending.usage, consult.context_length, prices);
  return withTransaction(db, async (trx) => {
    if (!(await closeAiConsult(trx, consult.id))) return false;
    const ended = {
      ...usage,
      hold_id: consult.hold_id,
      public_id: report.requestId,
      team_id: consult.team_id,
      key_id: consult.key_id,
      gateway: gateway.name,
      model: consult.model,
      endpoint: endpointOf(report.endpoint),
      upstream_id: await upstreamIdNamed(trx, upstreamOfRoute(report.selectedRouteId ?? '')),
      status: report.status,
      outcome: ending.outcome,
      is_streamed: report.isStreaming === true,
      first_token_ms: stored(report.ttftMs ?? null),
      duration_ms: Math.min(report.durationMs, MAX_MS),
      cost_picos: costPicos(usage, prices),
    };
    await settleAiRequests(trx, [ended]);
    return true;
  });
}
