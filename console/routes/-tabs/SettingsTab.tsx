import { useMay } from '../../api/session';
import { useCvmAddress } from '../../features/cvms/address';
import { SettingsPage } from '../../features/cvms/SettingsPage';
import { ResizePanel } from '../../features/apps/deploy/ResizePanel';

export function SettingsTab() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const may = useMay('cvms.write', teamSlug);
  return (
    <SettingsPage
      refusal={may.allowed ? null : may.reason}
      resize={<ResizePanel teamSlug={teamSlug} vmUuid={vmUuid} />}
    />
  );
}
