import { useCvm, useCvmAddress, useCvmLink } from '../../features/cvms/address';
import { CvmUsage } from '../../features/metrics/CvmUsage';

export function UsageTab() {
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  return <CvmUsage {...{ teamSlug, vmUuid }} name={useCvm().name} eventsPath={link('events')} />;
}
