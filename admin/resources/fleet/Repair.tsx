import { ActionButton } from '../../../console/ui/controls/ActionButton';
import { Button } from '../../../console/ui/controls/Button';
import { useState } from 'react';
import { useGetOne } from 'react-admin';
import type { AdminRepair } from '../../../generated/api/types.gen';
import { ConfirmDialog } from '../../../console/ui/feedback/ConfirmDialog';
import { DialogActions } from '../../../console/ui/forms/DialogActions';
import { FormDialog } from '../../../console/ui/forms/FormDialog';
import { Notice } from '../../../console/ui/feedback/Notice';
import { problemOf } from '../../http';
import { spokenOf, type AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { usePermissionRefusal } from '../../session';
import { useFleetAction } from './api';
import { showText } from '../../../console/lib/texts/allTexts';

interface Props {
  resource: ResourceDescription;
  teepod: string;
  /** Number of differences that can be repaired. */
  count: number;
}

/** Button that repairs drift between host and database, with a confirmation and a summary. */
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
      <ActionButton
        reason={refused ?? (count === 0 ? 'No drift.' : undefined)}
        onClick={() => setAsking(true)}
      >
        Repair…
      </ActionButton>
      <ConfirmDialog
        open={asking && !data}
        title="Repair drift?"
        confirmLabel="Repair"
        effects={[
          'CVMs are started or stopped to match the database.',
          'CVMs with a different size, OS image or Compose file are restarted with the correct one.',
          'CVMs whose VM is missing aren’t changed: their disks may come back.',
          'VMs whose CVM was deleted or moved are removed with their disks. Foreign VMs aren’t changed.',
        ]}
        // Removing VMs deletes their disks.
        danger
        {...(record ? { typedName: spokenOf(resource, record) } : {})}
        pending={isPending}
        problem={error ? problemOf(error, 'Couldn’t repair drift') : null}
        onConfirm={() => mutate({ action: '/repair', body: {} })}
        onClose={close}
      />
      {data && (
        <FormDialog open={asking} title="Repair results" onClose={close}>
          {data.rows.length === 0 && <p>No drift left.</p>}
          {data.rows.map(({ name, message, message_keys, done }, index) => (
            <Notice key={index} tone={done ? 'ok' : 'attention'}>
              {name}: {showText(message_keys, message)}
            </Notice>
          ))}
          <DialogActions>
            <Button variant="contained" onClick={close} autoFocus>
              Close
            </Button>
          </DialogActions>
        </FormDialog>
      )}
    </>
  );
}
