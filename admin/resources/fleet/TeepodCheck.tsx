import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import type { AdminRecord } from '../../record';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';
import { CheckPanel } from './CheckPanel';

/** Runs the same checks as the create form on an existing teepod. */
export function TeepodCheck({ record }: { record: AdminRecord }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const check = useFleetAction<AdminTeepodCheck>(`/teepods/${record.id}`);
  return (
    <CheckPanel
      subtitle="Checks connection, credential, version, images, GPUs, key service, capacity, clock and ports."
      check={check}
      onCheck={() => check.mutate({ action: '/check' })}
      refused={refused}
    />
  );
}
