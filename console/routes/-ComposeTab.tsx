import { useCvmAddress } from '../features/cvms/address';
import { UpdatePage } from '../features/deploy/UpdatePage';

export function ComposeTab() {
  return <UpdatePage address={useCvmAddress()} />;
}
