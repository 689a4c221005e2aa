import { useCvm, useCvmAddress } from '../features/cvms/address';
import { CvmUsage } from '../features/usage/CvmUsage';

export function UsageTab() {
  const { teamSlug, vmUuid } = useCvmAddress();
  return <CvmUsage {...{ teamSlug, vmUuid }} name={useCvm().name} />;
}
