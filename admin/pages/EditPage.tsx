import { createElement, Suspense, useState } from 'react';
import {
  EditBase,
  useDataProvider,
  useEditContext,
  useNavigate,
  useParams,
  useSaveContext,
} from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { internalOf } from '../frame/RouterLink';
import { useCrumbs } from '../frame/slots';
import { problemOf, statusOf } from '../http';
import { ownValue } from '../../console/lib/ownValue';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { editPanels } from '../resources';
import { editFields } from '../schema/forms';
import { withHostLimit } from '../schema/limit';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { waitsAt, waitsForApproval } from '../waiting';
import { Conflict } from './Conflict';
import { DirtyReport } from './DirtyReport';
import { NotFoundPage, RefusedPage } from './Fallback';
import { RecordForm } from './RecordForm';
import { SaveForm } from './SaveForm';
import { ShowAside } from './ShowAside';
import { arrange } from './fieldLayout';
import { viewRecord } from './recordView';
import { NOT_SAVED, useSaveCheck } from './useSaveCheck';
import { overwrites, useTypedValues } from './useTypedValues';
import { afterHref, crumbsTo, type Within } from './parentRecord';

const quiet = { onError: () => undefined };

interface Props {
  resource: ResourceDescription;
  /** The record's ID, if the address doesn't end with it. */
  id?: string;
  within?: Within;
}

export function EditPage({ resource, id: given, within }: Props) {
  const { id, '*': deeper } = useParams();
  const refused = useRefusal()(resource, 'edit');
  const toast = useToast();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  if (deeper && given === undefined) return <NotFoundPage />;
  if (refused !== undefined) return <RefusedPage reason={refused} />;
  const which = given ?? id;
  return (
    <EditBase<AdminRecord, Error>
      key={which}
      id={which}
      resource={resource.name}
      disableAuthentication
      mutationMode="pessimistic"
      redirect={false}
      queryOptions={quiet}
      mutationOptions={{
        onSuccess: (record) => {
          const waits = waitsAt(record);
          if (waits !== null) {
            toast(waitsForApproval(`Edit ${resource.singular}`));
            return navigate(internalOf(waits));
          }
          toast({ tone: 'ok', title: `Saved ${titleOf(resource, record)}` });
          navigate(internalOf(afterHref(resource, record, within)));
        },
        onError: setFailure,
      }}
    >
      <EditView
        resource={resource}
        failure={failure}
        settle={() => setFailure(undefined)}
        {...(within === undefined ? {} : { within })}
      />
    </EditBase>
  );
}

interface ViewProps {
  resource: ResourceDescription;
  failure: unknown;
  settle: () => void;
  within?: Within;
}

function EditView({ resource, failure, settle, within }: ViewProps) {
  const edit = useEditContext<AdminRecord>();
  const { refetch, saving = false } = edit;
  const view = viewRecord(resource, edit);
  const provider = useDataProvider();
  const { onSubmit, checking, dialog } = useSaveCheck(resource, edit.record);
  const { save } = useSaveContext();
  const { was, resetOptions, setIsDirty, setIsSaving } = useTypedValues(edit.record, failure);
  /** Whether a later read changed a field that the user has also changed. */
  const [isOvertaken, setIsOvertaken] = useState(false);
  /** User input carried over when the record is reloaded. */
  const [kept, setKept] = useState<Record<string, unknown>>({});
  /**
   * Remounts the form after a reload, but not after saving: the mounted form blocks navigation until it counts as
   * saved, and must stay mounted to stop blocking.
   */
  const [readings, setReadings] = useState(0);
  const title = view.record ? titleOf(resource, view.record) : '…';
  const page =
    view.record && resource.permissions.show !== undefined
      ? { label: title, href: adminHref.show(resource.name, view.record.id) }
      : { label: title };
  useCrumbs([...crumbsTo(resource, within), page, { label: 'Edit' }]);
  if (!view.record) return view.page;
  const { record, notice } = view;
  const fields = editFields(resource)
    .filter((field) => !Object.hasOwn(within?.fixed ?? {}, field.name))
    .map((field) => withHostLimit(field, record));
  const settled = async (chosen: Record<string, unknown>) => {
    setKept(chosen);
    await refetch();
    setReadings((count) => count + 1);
    setIsOvertaken(false);
    setIsDirty(false);
    settle();
  };
  const submit = async (values: Record<string, unknown>) => {
    if (overwrites(fields, { was: was ?? record, now: record, values })) {
      setIsOvertaken(true);
      return NOT_SAVED;
    }
    setIsSaving(true);
    const errors: unknown = await (onSubmit ?? save)?.(values);
    if (errors !== undefined) setIsSaving(false);
    return errors;
  };
  const Extra = ownValue(editPanels, resource.name);
  const conflict = (isOvertaken || statusOf(failure) === 412) && !saving && (
    <Conflict
      fields={fields}
      was={was ?? record}
      read={async () => (await provider.getOne<AdminRecord>(resource.name, { id: record.id })).data}
      onSettled={settled}
    />
  );
  return (
    <>
      {notice}
      <PageHeader title={`Edit ${title}`} />
      <SaveForm
        key={readings}
        record={{ ...record, ...kept }}
        warnWhenUnsavedChanges
        resetOptions={resetOptions}
        onSubmit={submit}
      >
        <DirtyReport onChange={setIsDirty} />
        <RecordForm
          fields={fields}
          submitLabel="Save"
          cancelHref={afterHref(resource, record, within)}
          saving={saving || checking}
          // The conflict explains and resolves it; an error above it would suggest reloading instead.
          problem={failure && !saving && !conflict ? problemOf(failure, `Couldn’t save ${title}`) : null}
          panel={Extra && <Suspense fallback={null}>{createElement(Extra)}</Suspense>}
          {...(conflict ? { remedy: conflict, ready: false } : {})}
        />
      </SaveForm>
      {dialog}
      <ShowAside resource={resource} record={record} fields={arrange(resource).aside} />
    </>
  );
}
