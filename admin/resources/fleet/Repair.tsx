import Button from '@mui/material/Button';
import { useState } from 'react';
import { useGetOne } from 'react-admin';
import type { AdminRepair } from '../../../generated/api/types.gen';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { Notice } from '../../../console/ui/feedback/Notice';
import { problemOf } from '../../http';
import { titleOf, type AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';

interface Props {
  resource: ResourceDescription;
  teepod: string;
  /** Things that differ and can be brought in line. */
  count: number;
}

/** The button that brings host and database in line, with what will happen before and what did after. */
export function Repair({ resource, teepod, count }: Props) {
  const refused = usePermissionRefusal()('admin.infra.write');
  const { data: record } = useGetOne<AdminRecord>(
    resource.name,
    { id: teepod },
    { retry: false, onError: () => undefined },
  );
  const [asking, setAsking] = useState(false);
  const { mutate, data, error, isPending, reset } = useFleetAction<AdminRepair>(`/teepods/${teepod}`);
  const close = () => {
    reset();
    setAsking(false);
  };
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        disabled={count === 0 || refused !== undefined}
        title={refused ?? (count === 0 ? 'Host and database agree.' : undefined)}
        onClick={() => setAsking(true)}
      >
        Repair…
      </Button>
      <ConfirmDialog
        open={asking}
        title={data ? 'What was done' : 'Bring host and database in line?'}
        confirmLabel={data ? 'Close' : 'Repair'}
        effects={
          data
            ? []
            : [
                'What should run and does not is started, what should not is stopped.',
                'What is made of something else than the database says is restarted with the right thing.',
                'A VM that is missing is made anew, with an empty disk.',
                'VMs whose CVM is gone or elsewhere are removed with their disks. Foreign ones are left alone.',
              ]
        }
        // VMs are made anew and removed: what is on their disks is gone.
        danger={!data}
        {...(data || !record ? {} : { typedName: titleOf(resource, record) })}
        pending={isPending}
        problem={error ? problemOf(error, 'Nothing was repaired') : null}
        onConfirm={() => (data ? close() : mutate({ action: '/repair', body: {} }))}
        onClose={close}
      >
        {data?.rows.length === 0 && <p>Nothing differed any more.</p>}
        {data?.rows.map(({ name, message, done }, index) => (
          <Notice key={index} tone={done ? 'ok' : 'attention'}>
            {name}: {message}
          </Notice>
        ))}
      </ConfirmDialog>
    </>
  );
}
