import Button from '@mui/material/Button';
import { useState } from 'react';
import { useDataProvider, useRefresh } from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import type { AdminDataProvider } from '../dataProvider';
import { problemOf } from '../http';
import { titleOf, type AdminRecord } from '../record';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { useActionRefusal } from '../session';

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  action: ResourceAction;
}

/** A verb of the document beyond list, show, create, edit and delete: `POST …/{id}/{action}`. */
export function ActionButton({ resource, record, action }: Props) {
  const provider = useDataProvider<AdminDataProvider>();
  const refresh = useRefresh();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const refused = useActionRefusal()(action);
  const title = titleOf(resource, record);
  const act = async () => {
    setPending(true);
    try {
      await provider.act(resource.name, { id: record.id, action: action.name });
      toast({ tone: 'ok', title: `${action.label}: ${title}` });
    } catch (error) {
      const { message, suggestions = [] } = problemOf(error, '');
      toast({
        tone: 'error',
        title: `${action.label} was not possible`,
        message: [message, ...suggestions].join(' '),
      });
    }
    setPending(false);
    refresh();
  };
  return (
    <Button
      variant="outlined"
      color="inherit"
      disabled={pending || refused !== undefined}
      {...(refused === undefined ? {} : { title: refused })}
      onClick={() => void act()}
    >
      {action.label}
    </Button>
  );
}
