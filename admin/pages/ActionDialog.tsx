import { createElement, Suspense, useMemo, useState } from 'react';
import { HttpError } from 'react-admin';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { TypedName } from '../../console/ui/forms/TypedName';
import { ownValue } from '../../console/lib/ownValue';
import { newRecord } from '../dataProvider';
import { problemOf, type ErrorBody } from '../http';
import { describeForm, initialValues } from '../schema/forms';
import type { AdminRecord } from '../record';
import { actionPanels } from '../resources/actionPanels.gen';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { askTitle, failedText, keepLabel } from './action';
import { RecordForm } from './RecordForm';
import { SaveForm } from './SaveForm';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

interface Props {
  resource: ResourceDescription;
  action: ResourceAction;
  /** The record's name in a sentence. */
  title: string;
  /** The name in the page's headline, to be typed before irreversible actions. */
  typedName: string;
  record: AdminRecord;
  /** @throws HttpError */
  act: (data: Record<string, unknown>, idempotency_key: string) => Promise<void>;
  onClose: () => void;
}

/** Form of a custom action. */
export function ActionDialog({ resource, action, title, typedName, record: target, act, onClose }: Props) {
  const fields = useMemo(() => describeForm(action.body), [action.body]);
  const [record] = useState(() => initialValues(fields));
  // One key while the form is open, so that a retry after a lost connection doesn't repeat the action.
  const [key] = useState(newIdempotencyKey);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const [typed, setTyped] = useState('');
  const panels = ownValue(actionPanels, resource.name);
  const Extra = panels && ownValue(panels, action.name);
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
      wide={fields.some((field) => field.type === 'drain_plan') ? 'table' : true}
      title={askTitle(action, title)}
      {...(action.confirm === undefined ? {} : { intro: action.confirm })}
      onClose={saving ? undefined : onClose}
    >
      <SaveForm record={record} onSubmit={submit}>
        <RecordForm
          fields={fields}
          submitLabel={action.label}
          danger={action.danger === true}
          ready={action.danger !== true || typed === typedName}
          saving={saving}
          problem={failure && !saving ? problemOf(failure, failedText(action, title)) : null}
          onCancel={onClose}
          cancelLabel={keepLabel(action)}
          panel={Extra && <Suspense fallback={null}>{createElement(Extra, { record: target })}</Suspense>}
          {...(action.danger
            ? {
                remedy: <TypedName name={typedName} value={typed} onChange={setTyped} />,
              }
            : {})}
        />
      </SaveForm>
    </FormDialog>
  );
}
