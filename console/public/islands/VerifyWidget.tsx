import type { PublicCvm } from '../../../generated/api/types.gen';
import type { Report } from '../../lib/attestation/types';
import { VerifyApp } from './VerifyApp';

/** Version of the messages to the embedding page: docs/embedding.md. */
const VERSION = 1;

/** Verifies as the app's page does, and tells the embedding page what came out, or why nothing did. */
export function VerifyWidget({ appId, cvms }: { appId: string; cvms: PublicCvm[] }) {
  const tell = (vm_uuid: string, result: { report: Report } | { reason: string }) => {
    const about = { source: 'teehouse', version: VERSION, app_id: appId, vm_uuid };
    const message =
      'report' in result
        ? {
            ...about,
            type: 'report',
            state: result.report.state,
            simulated: result.report.simulated,
            verified_at: result.report.verified_at,
          }
        : { ...about, type: 'failure', reason: result.reason };
    // Everything in it is public, so any page may read it.
    parent.postMessage(message, '*');
  };
  return <VerifyApp appId={appId} cvms={cvms} onResult={tell} />;
}
