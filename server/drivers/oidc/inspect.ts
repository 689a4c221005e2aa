import { z } from 'zod';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { OutboundError, type Outbound } from '../net';
import type { OidcStep } from './index';

const MAX_BYTES = 262_144;
const TIMEOUT_MS = 8_000;

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  response_types_supported: z.array(z.string()).optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const Keys = z.object({ keys: z.array(z.object({ kty: z.string(), use: z.string().optional() })).max(200) });

/** The step failed, for this reason. */
class Failed extends Error {}

/** OpenID Connect Discovery 1.0 §4, in steps an admin can follow. */
export async function inspectProvider(outbound: Outbound, issuer: string): Promise<OidcStep[]> {
  const steps: OidcStep[] = [];
  const step = async <T>(name: string, work: () => Promise<[detail: string, value: T]>): Promise<T> => {
    try {
      const [detail, value] = await work();
      steps.push({ name, ok: true, detail });
      return value;
    } catch (error) {
      if (!(error instanceof Failed || error instanceof OutboundError)) throw error;
      steps.push({ name, ok: false, detail: error.message });
      throw new Failed();
    }
  };
  const json = async (url: URL): Promise<unknown> => {
    const reply = await outbound.fetch(url, {
      headers: { accept: 'application/json' },
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
    });
    if (reply.status >= 300 && reply.status < 400)
      throw new Failed(
        `${url.host} returned ${reply.status} with a redirect. Enter the issuer it redirects to.`,
      );
    if (reply.status !== 200)
      throw new Failed(`${url.host}${url.pathname} returned ${reply.status}. Is this the issuer?`);
    try {
      return await reply.json();
    } catch {
      throw new Failed(`${url.host}${url.pathname} didn't return JSON.`);
    }
  };

  try {
    const document = await step('Reachable', async () => {
      const url = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
      return [`${url.href} answers.`, await json(url)];
    });
    await step('Issuer', async () => {
      const named = (document as { issuer?: unknown } | null)?.issuer;
      if (named === issuer) return ['The issuer matches.', null];
      throw new Failed(
        typeof named === 'string'
          ? `The provider's issuer is ${cutWhole(named, 300)}. It must match exactly.`
          : "The document doesn't name an issuer.",
      );
    });
    const metadata = await step('Endpoints', async () => {
      const parsed = Metadata.safeParse(document);
      if (!parsed.success)
        throw new Failed(
          `The document lacks ${parsed.error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
        );
      const {
        authorization_endpoint,
        token_endpoint,
        jwks_uri,
        userinfo_endpoint,
        response_types_supported,
      } = parsed.data;
      const endpoints = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint];
      for (const endpoint of endpoints) if (endpoint !== undefined) await outbound.check(new URL(endpoint));
      if (response_types_supported && !response_types_supported.includes('code'))
        throw new Failed("The provider doesn't offer the authorization code flow (response type “code”).");
      return ['Authorization, token and key endpoints are available.', parsed.data];
    });
    await step('Keys', async () => {
      const parsed = Keys.safeParse(await json(new URL(metadata.jwks_uri)));
      const usable = parsed.data?.keys.filter(({ kty, use }) => kty !== 'oct' && use !== 'enc').length ?? 0;
      if (usable === 0) throw new Failed('The provider publishes no signing key.');
      return [usable === 1 ? 'One signing key is published.' : `${usable} signing keys are published.`, null];
    });
    await step('PKCE', async () => {
      const methods = metadata.code_challenge_methods_supported;
      if (methods === undefined)
        return ["The provider doesn't say whether it supports PKCE; it is sent anyway.", null];
      if (methods.includes('S256')) return ['The provider checks PKCE with S256.', null];
      throw new Failed('The provider offers PKCE without S256.');
    });
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
  }
  return steps;
}
