import type { PublicCvm } from '../../../generated/api/types.gen';
import { VerifyApp } from './VerifyApp';
import { widgetMessage, type WidgetResult } from './widgetMessage';

/** Verifies like the app's page, and sends the embedding page the result, or the reason why there is none. */
export function VerifyWidget({ appId, cvms }: { appId: string; cvms: PublicCvm[] }) {
  const report = (vm_uuid: string, result: WidgetResult) =>
    // The message contains only public data, so any page may read it.
    parent.postMessage(widgetMessage(appId, vm_uuid, result), '*');
  return <VerifyApp appId={appId} cvms={cvms} onResult={report} />;
}
