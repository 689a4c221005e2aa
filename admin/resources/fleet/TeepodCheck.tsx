import Button from '@mui/material/Button';
import type { AdminTeepodCheck } from '../../../generated/api/types.gen';
import { Spinner } from '../../../console/ui/controls/Spinner';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { Panel } from '../../../console/ui/layout/Panel';
import { problemOf } from '../../http';
import type { AdminRecord } from '../../record';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';
import { CheckList } from './CheckList';

/** On a teepod's page: the same checks as before it was added, of how it is now. */
export function TeepodCheck({ record }: { record: AdminRecord }) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const { mutate, data, error, isPending } = useFleetAction<AdminTeepodCheck>(`/teepods/${record.id}`);
  return (
    <Panel
      title="Check"
      subtitle="Reachable, credential, version, images, GPUs, key service, capacity, clock and ports, asked now."
      actions={
        <Button
          variant="outlined"
          color="inherit"
          disabled={isPending || refused !== undefined}
          {...(refused === undefined ? {} : { title: refused })}
          startIcon={isPending ? <Spinner /> : undefined}
          onClick={() => mutate({ action: '/check' })}
        >
          Check this host
        </Button>
      }
    >
      <div role="status" aria-label="Result of the check">
        {error && !isPending && <ErrorNotice problem={problemOf(error, 'The host was not checked')} />}
        {data && <CheckList checks={data.checks} />}
      </div>
    </Panel>
  );
}
