import { createHash } from 'node:crypto';
import { AiError } from './aiError';

interface Route {
  /** Whether its server must prove what it runs before a prompt is sent there. */
  evidence_required: boolean;
}

interface NamedRoute extends Route {
  name: string;
  accepted_app_ids: readonly string[];
  accepted_kms_keys: readonly string[];
}

/** Names of upstreams have no dots. */
const POLICY_SEPARATOR = '.';
/** Hexadecimal digits: enough to distinguish all policies that one upstream ever had. */
const POLICY_DIGITS = 16;

/**
 * Returns an upstream's name for gateways: its name, with a digest of what it must prove. A gateway with an
 * outdated policy doesn't know the new name, so it refuses requests instead of forwarding them under the old
 * policy.
 */
export function gatewayName(route: NamedRoute): string {
  if (!route.evidence_required) return route.name;
  const policy = JSON.stringify([[...route.accepted_app_ids].sort(), [...route.accepted_kms_keys].sort()]);
  const digest = createHash('sha256').update(policy).digest('hex').slice(0, POLICY_DIGITS);
  return `${route.name}${POLICY_SEPARATOR}${digest}`;
}

/** Returns the name of the upstream in a route's ID, whatever its policy at that time. */
export const upstreamOfRoute = (route_id: string): string =>
  (route_id.split(':', 1)[0] ?? '').split(POLICY_SEPARATOR, 1)[0] ?? '';

/** The built-in gateway verifies no evidence, so it never uses an upstream that requires some. */
export const withoutEvidence = <T extends Route>(routes: readonly T[]): T[] =>
  routes.filter(({ evidence_required }) => !evidence_required);

/** Whether a gateway in a TEE can serve a model with verified evidence. */
export const canBeVerified = ({ routes }: { routes: readonly Route[] }): boolean =>
  routes.some(({ evidence_required }) => evidence_required);

/** Whether the built-in gateway serves a model. A model without upstreams is built in. */
export const isServedHere = ({ routes }: { routes: readonly Route[] }): boolean =>
  routes.length === 0 || withoutEvidence(routes).length > 0;

/**
 * Returns the built-in gateway's refusal of a model whose servers all require evidence (aci/1, §7.5); null for
 * others.
 */
export function evidenceRefusal(model: { routes: readonly Route[] }): AiError | null {
  if (isServedHere(model)) return null;
  return new AiError(
    503,
    'upstream_verification_failed',
    null,
    'This model requires evidence of what its servers run, which this gateway can’t verify. The prompt was not forwarded. Use the address of a gateway in a TEE.',
    { retry: false },
  );
}
