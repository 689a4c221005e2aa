import type { PublicCvm } from '../../../generated/api/types.gen';
import type { Report } from '../../lib/attestation/types';
import { VerifyApp } from './VerifyApp';

/** Version of the message to the embedding page: docs/embedding.md. */
const VERSION = 1;

/** Verifies as the app's page does, and tells the embedding page what came out. */
export function VerifyWidget({ appId, cvms }: { appId: string; cvms: PublicCvm[] }) {
  const tell = (vm_uuid: string, { state, verified_at }: Report) =>
    // Everything in it is public, so any page may read it.
    parent.postMessage(
      { source: 'teehouse', type: 'report', version: VERSION, app_id: appId, vm_uuid, state, verified_at },
      '*',
    );
  return <VerifyApp appId={appId} cvms={cvms} onReport={tell} />;
}
