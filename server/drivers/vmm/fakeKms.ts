import { createHash } from 'node:crypto';
import { signEnvKey } from '../../../console/lib/secrets/kmsKey';

/** Root key of the fake's KMS, for callers to pin. */
export const fakeKmsRoot = {
  private_key: '1dfe1b4c72a28b9c8353f9280bcf5c1b4a287790e888c193aa37852d3eff7810',
  k256_pubkey: '02a771f773b0d2df8bc892e87134685b084dc620c0306af27936c4e9d1aa9d8538',
};

/** Its reply to a request for the key that seals an app's environment. */
export function fakeKmsKey(appId: string) {
  const timestamp = Math.floor(Date.now() / 1000);
  const public_key = createHash('sha256').update(`env ${appId}`).digest('hex');
  const root = fakeKmsRoot.private_key;
  return {
    public_key,
    signature: signEnvKey({ public_key, app_id: appId }, root),
    timestamp,
    signature_v1: signEnvKey({ public_key, app_id: appId, timestamp }, root),
  };
}
