import { defaultLimits } from '../vmm/rpc';
import { envPubKey } from '../vmm/schemas';
import { head, Transport } from '../vmm/transport';
import { KmsError, type KmsDriver, type KmsOptions } from './index';
import { readCounter } from './counters';
import { kmsMeta } from './schemas';

const METRICS_BYTES = 65_536;

/**
 * KMS over its JSON mode.
 * @throws Error when the URL, credential or certificate options are invalid
 */
export function createKmsDriver({ url, credential, tls, limits: given }: KmsOptions): KmsDriver {
  const limits = { ...defaultLimits, ...given };
  const transport = new Transport({
    url,
    service: 'dstack-kms',
    credential,
    tls,
    limits,
    errorClass: KmsError,
  });
  const common = { deadline_ms: limits.info_ms, mutates: false };
  return {
    endpoint: transport.endpoint.label,
    getMeta: ({ signal } = {}) =>
      transport.call({
        ...common,
        method: 'GetMeta',
        path: '/prpc/GetMeta?json',
        body: {},
        reply: kmsMeta,
        signal,
      }),
    async getAppEnvEncryptPubKey(appId, { signal } = {}) {
      const app_id = appId.replace(/^0x/i, '').toLowerCase();
      const method = 'GetAppEnvEncryptPubKey';
      if (!/^[0-9a-f]{40}$/.test(app_id))
        throw transport.failure('rejected', method, 'an app id is 40 hex digits');
      const path = `/prpc/${method}?json`;
      return transport.call({ ...common, method, path, body: { app_id }, reply: envPubKey, signal });
    },
    async metrics({ signal } = {}) {
      const method = 'metrics';
      const reply = await transport.stream({ method, path: '/metrics', silence_ms: limits.info_ms, signal });
      const text = await head(reply.body, METRICS_BYTES);
      // An aborted stream ends early without an error.
      signal?.throwIfAborted();
      if (reply.status !== 200)
        throw transport.failure('unsupported', method, `it answers /metrics with HTTP ${reply.status}`);
      const attestation_requests = readCounter(text, 'dstack_kms_attestation_requests_total');
      const attestation_failures = readCounter(text, 'dstack_kms_attestation_failures_total');
      if (attestation_requests === null || attestation_failures === null)
        throw transport.failure('bad_reply', method, 'its /metrics lack the counters of attestations');
      return { attestation_requests, attestation_failures };
    },
    close: () => transport.close(),
  };
}
