import { defaultLimits } from '../vmm/rpc';
import { envPubKey } from '../vmm/schemas';
import { Transport } from '../vmm/transport';
import { KmsError, type KmsDriver, type KmsOptions } from './index';
import { kmsMeta } from './schemas';

/**
 * KMS over its JSON mode.
 * @throws Error when the URL, credential or certificate options make no sense
 */
export function createKmsDriver({ url, credential, tls, limits: given }: KmsOptions): KmsDriver {
  const limits = { ...defaultLimits, ...given };
  const transport = new Transport({ url, credential, tls, limits, errorClass: KmsError });
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
    close: () => transport.close(),
  };
}
