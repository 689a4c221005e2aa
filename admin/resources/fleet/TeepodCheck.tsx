import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import type { AdminRecord } from '../../record';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';
import { CheckPanel } from './CheckPanel';

/** On a teepod's page: the same checks as before it was added, of how it is now. */
export function TeepodCheck({ record }: { record: AdminRecord }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const check = useFleetAction<AdminTeepodCheck>(`/teepods/${record.id}`);
  return (
    <CheckPanel
      subtitle="Reachable, credential, version, images, GPUs, key service, capacity, clock and ports, asked now."
      check={check}
      onCheck={() => check.mutate({ action: '/check' })}
      refused={refused}
    />
  );
}
