import type { AiUpstreamRow } from '../../db/ai/aiTables';
import { routedUpstreams } from '../../db/ai/aiUpstreams';
import { isForwardable } from '../../domain/ai/control';
import { gatewayName } from '../../domain/ai/evidence';
import type { Services } from '../../operations/types';

/** Version of the format, which gateways check. */
const SCHEMA_VERSION = 1;

/**
 * Returns the model servers that a gateway forwards to, with their API keys, as its configuration (`upstream_pull` of
 * Private AI Gateway). Models it can't forward are omitted, as from its decisions.
 */
export async function upstreamConfig({ db, seal }: Pick<Services, 'db' | 'seal'>) {
  const rows = await routedUpstreams(db);
  return {
    schema_version: SCHEMA_VERSION,
    generated_at: new Date().toISOString(),
    upstreams: rows.flatMap(({ name, url, sealed_api_key, timeout_seconds, models, ...row }) => {
      const served = models.filter(({ endpoints }) => isForwardable(url, endpoints));
      if (served.length === 0) return [];
      return {
        name: gatewayName({ name, ...row }),
        ...evidenceOf(row),
        ...addressOf(url),
        models: Object.fromEntries(served.map((one) => [one.model, one.name])),
        read_timeout_seconds: timeout_seconds,
        ...(sealed_api_key === null ? {} : { bearer_token: seal.open('ai-upstream', sealed_api_key) }),
      };
    }),
  };
}

/** Gateways verify this kind of server before forwarding a prompt, and refuse if that fails. */
const evidenceOf = ({
  evidence_required,
  accepted_app_ids,
  accepted_kms_keys,
}: Pick<AiUpstreamRow, 'evidence_required' | 'accepted_app_ids' | 'accepted_kms_keys'>) =>
  evidence_required
    ? {
        provider: 'aci-service',
        accepted_subjects: accepted_app_ids.map((id) => `app-id:0x${id}`),
        accepted_dstack_kms_root_public_keys: accepted_kms_keys,
      }
    : {};

/** Gateways append `/v1/…` to a base URL, and accept another path for chats only. */
function addressOf(url: string): { base_url: string; path?: string } {
  if (url.endsWith('/v1')) return { base_url: url.slice(0, -'/v1'.length) };
  const { origin, pathname } = new URL(url);
  return { base_url: origin, path: `${pathname.replace(/\/+$/, '')}/chat/completions` };
}
