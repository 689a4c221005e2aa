import { useDelete, useNavigate } from 'react-admin';
import { ConfirmDialog } from '../../console/ui/feedback/ConfirmDialog';
import { useToast } from '../../console/ui/feedback/toasts';
import { internalOf } from '../frame/RouterLink';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { spokenOf, type AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { deletionEffects } from './action';

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  open: boolean;
  onClose: () => void;
}

/** Deletes a record after its name is typed. The server rejects the deletion of records in use. */
export function DeleteDialog({ resource, record, open, onClose }: Props) {
  const title = spokenOf(resource, record);
  const toast = useToast();
  const navigate = useNavigate();
  const [remove, { isPending, error, reset }] = useDelete<AdminRecord>(
    resource.name,
    { id: record.id, previousData: record },
    {
      mutationMode: 'pessimistic',
      onSuccess: () => {
        toast({ tone: 'ok', title: `Deleted ${title}` });
        navigate(internalOf(adminHref.list(resource.name)));
      },
      // The dialog shows it.
      onError: () => undefined,
    },
  );
  return (
    <ConfirmDialog
      open={open}
      title={`Delete ${title}?`}
      effects={[...deletionEffects(resource, record), 'This cannot be undone.']}
      confirmLabel={`Delete ${resource.singular}`}
      danger
      typedName={title}
      pending={isPending}
      problem={error ? problemOf(error, `Couldn’t delete ${title}`) : null}
      onConfirm={() => void remove()}
      onClose={() => {
        reset();
        onClose();
      }}
    />
  );
}
