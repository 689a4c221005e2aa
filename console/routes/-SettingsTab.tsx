import { useCvmAddress } from '../features/cvms/address';
import { SettingsPage } from '../features/cvms/SettingsPage';
import { ResizePanel } from '../features/apps/deploy/ResizePanel';

export function SettingsTab() {
  const { teamSlug, vmUuid } = useCvmAddress();
  return <SettingsPage resize={<ResizePanel teamSlug={teamSlug} vmUuid={vmUuid} />} />;
}
