import { useState } from 'react';
import { HttpError } from 'react-admin';
import type { AdminBulkJob } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { FormDialog } from '../../console/ui/forms/FormDialog';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { TextInput } from '../../console/ui/forms/TextInput';
import { startBulkJob } from './bulkJobs';
import { newRecord } from '../dataProvider';
import { problemOf, type ErrorBody } from '../http';
import { initialValues } from '../schema/forms';
import type { ResourceDescription } from '../schema/types';
import { bulkChanges, isTyped, type BulkOperation, type Scope } from './bulk';
import { keepLabel } from '../pages/action';
import { RecordForm } from '../pages/RecordForm';
import { SaveForm } from '../pages/SaveForm';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

interface Props {
  resource: ResourceDescription;
  operation: BulkOperation;
  scope: Scope;
  onStarted: (job: AdminBulkJob) => void;
  onClose: () => void;
}

/** Form of a bulk action. Actions on all matching rows, and dangerous ones, require typing the number of rows. */
export function BulkDialog({ resource, operation, scope, onStarted, onClose }: Props) {
  const { fields, partial, label } = operation;
  const [record] = useState(() => (partial ? {} : initialValues(fields)));
  const [key] = useState(newIdempotencyKey);
  const [wanted, setWanted] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const shown = partial ? fields.filter(({ name }) => wanted.includes(name)) : fields;
  const noun = scope.total === 1 ? resource.singular : resource.plural;
  const many = `${count(scope.total)} ${noun}`;
  const mustType = scope.kind === 'filter' || operation.danger === true;
  const agreed = !mustType || isTyped(typed, scope.total);
  const start = async (values: Record<string, unknown>) => {
    setSaving(true);
    setFailure(undefined);
    const body = partial ? bulkChanges(shown, values) : newRecord(shown, values);
    try {
      const job = await startBulkJob(
        {
          resource: resource.name,
          action: operation.name,
          ...(scope.kind === 'ids' ? { ids: scope.ids } : { filter: scope.filter }),
          ...(shown.length > 0 ? { body } : {}),
          expected_total: scope.total,
        },
        key,
      );
      onStarted(job);
      return undefined;
    } catch (error) {
      setFailure(error);
      setSaving(false);
      return error instanceof HttpError ? (error.body as ErrorBody | undefined)?.errors : undefined;
    }
  };
  const unused = fields.filter(({ name }) => !wanted.includes(name));
  return (
    <FormDialog
      open
      wide
      title={`${label} ${many}?`}
      intro={[operation.confirm, 'Runs in the background. Track it under Bulk jobs.']
        .filter((part) => part !== undefined)
        .join(' ')}
      onClose={saving ? undefined : onClose}
    >
      {partial && unused.length > 0 && (
        <SelectInput
          label="Field to change"
          help="Other fields keep their values."
          placeholder="Choose…"
          value=""
          choices={unused.map((field) => ({
            value: field.name,
            label: field.label,
          }))}
          onChange={({ target: { value } }) => value !== '' && setWanted([...wanted, value])}
        />
      )}
      <SaveForm record={record} onSubmit={start}>
        <RecordForm
          fields={shown}
          submitLabel={`${label} ${many}`}
          danger={operation.danger === true}
          ready={agreed && (!partial || shown.length > 0)}
          saving={saving}
          problem={failure && !saving ? problemOf(failure, 'Couldn’t start the job') : null}
          onCancel={onClose}
          cancelLabel={keepLabel({ label })}
          {...(mustType
            ? {
                remedy: (
                  <TextInput
                    label="Type the number of rows to confirm"
                    help={
                      <>
                        Type <code>{count(scope.total)}</code>
                      </>
                    }
                    value={typed}
                    onChange={(event) => setTyped(event.target.value)}
                    inputMode="numeric"
                    autoComplete="off"
                  />
                ),
              }
            : {})}
        />
      </SaveForm>
    </FormDialog>
  );
}
