import Button from '@mui/material/Button';
import { useMemo, useState } from 'react';
import { Form, HttpError } from 'react-admin';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { TypedName } from '../../console/ui/forms/TypedName';
import { newRecord } from '../dataProvider';
import { problemOf, type ErrorBody } from '../http';
import { describeForm, initialValues } from '../schema/forms';
import type { ResourceAction } from '../schema/types';
import { RecordForm } from './RecordForm';

interface Props {
  action: ResourceAction;
  /** The record it is done to. */
  title: string;
  /** @throws HttpError */
  act: (data: Record<string, unknown>, idempotency_key: string) => Promise<void>;
  onClose: () => void;
}

/** What an action of the document takes, as a form over the record's page. */
export function ActionDialog({ action, title, act, onClose }: Props) {
  const fields = useMemo(() => describeForm(action.body), [action.body]);
  const [record] = useState(() => initialValues(fields));
  // One for as long as the form is open, so that sending again after a broken connection does nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [typed, setTyped] = useState('');
  const submit = async (values: Record<string, unknown>) => {
    setSaving(true);
    setFailure(undefined);
    try {
      await act(newRecord(fields, values), key);
      return undefined;
    } catch (error) {
      setFailure(error);
      setSaving(false);
      return error instanceof HttpError ? (error.body as ErrorBody | undefined)?.errors : undefined;
    }
  };
  return (
    <FormDialog
      open
      wide
      title={`${action.label}: ${title}`}
      {...(action.confirm === undefined ? {} : { intro: action.confirm })}
      onClose={saving ? undefined : onClose}
    >
      <Form record={record} onSubmit={submit} noValidate disableInvalidFormNotification>
        <RecordForm
          fields={fields}
          submitLabel={action.label}
          danger={action.danger === true}
          ready={action.danger !== true || typed === title}
          saving={saving}
          problem={failure && !saving ? problemOf(failure, `${action.label} was not possible`) : null}
          cancel={
            <Button variant="text" disabled={saving} onClick={onClose}>
              Cancel
            </Button>
          }
          {...(action.danger ? { remedy: <TypedName name={title} value={typed} onChange={setTyped} /> } : {})}
        />
      </Form>
    </FormDialog>
  );
}
