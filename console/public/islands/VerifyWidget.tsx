import type { PublicCvm } from '../../../generated/api/types.gen';
import { VerifyApp } from './VerifyApp';
import { widgetMessage, type WidgetResult } from './widgetMessage';

/** Verifies as the app's page does, and tells the embedding page what came out, or why nothing did. */
export function VerifyWidget({ appId, cvms }: { appId: string; cvms: PublicCvm[] }) {
  const tell = (vm_uuid: string, result: WidgetResult) =>
    // Everything in it is public, so any page may read it.
    parent.postMessage(widgetMessage(appId, vm_uuid, result), '*');
  return <VerifyApp appId={appId} cvms={cvms} onResult={tell} />;
}
