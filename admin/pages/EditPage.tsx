import Button from '@mui/material/Button';
import { useState } from 'react';
import { EditBase, Form, useEditContext, useNavigate, useParams } from 'react-admin';
import { useFormContext, useFormState } from 'react-hook-form';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { useToast } from '../../console/ui/feedback/toasts';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { internalOf } from '../frame/RouterLink';
import { useCrumbs } from '../frame/slots';
import { problemOf, statusOf } from '../http';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { NotFoundPage, RecordProblem } from './Fallback';
import { RecordForm } from './RecordForm';
import { ShowAside } from './ShowAside';
import { arrange } from './ShowPage';

const quiet = { onError: () => undefined };

export function EditPage({ resource }: { resource: ResourceDescription }) {
  const { id, '*': deeper } = useParams();
  const refused = useRefusal()(resource, 'edit');
  const toast = useToast();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  if (deeper) return <NotFoundPage />;
  if (refused !== undefined)
    return <FallbackPage kind="forbidden" landmark={false} message={refused} homeHref={adminHref.home} />;
  return (
    <EditBase<AdminRecord, Error>
      key={id}
      resource={resource.name}
      disableAuthentication
      mutationMode="pessimistic"
      redirect={false}
      queryOptions={quiet}
      mutationOptions={{
        onSuccess: (record) => {
          toast({ tone: 'ok', title: `Saved ${titleOf(resource, record)}` });
          navigate(internalOf(adminHref.show(resource.name, record.id)));
        },
        onError: setFailure,
      }}
    >
      <EditView resource={resource} failure={failure} settle={() => setFailure(undefined)} />
    </EditBase>
  );
}

interface ViewProps {
  resource: ResourceDescription;
  failure: unknown;
  settle: () => void;
}

function EditView({ resource, failure, settle }: ViewProps) {
  const { record, isPending, error, refetch, saving = false } = useEditContext<AdminRecord>();
  /** What was typed before the record was read again. */
  const [kept, setKept] = useState<Record<string, unknown>>({});
  /**
   * The form starts over when somebody asked for the record anew, and not when saving changes it: the form that is left
   * holds the navigation back until it counts as saved, and must live to let go of it.
   */
  const [readings, setReadings] = useState(0);
  const title = record ? titleOf(resource, record) : '…';
  useCrumbs([
    { label: resource.label, href: adminHref.list(resource.name) },
    ...(record ? [{ label: title, href: adminHref.show(resource.name, record.id) }] : [{ label: title }]),
    { label: 'Edit' },
  ]);
  if (error)
    return (
      <RecordProblem
        error={error}
        title={`The ${resource.singular} could not be read`}
        retry={() => void refetch()}
      />
    );
  if (isPending || !record) return <PageSkeleton label={`Loading the ${resource.singular}`} />;
  const conflict = statusOf(failure) === 412;
  const reload = async (typed: Record<string, unknown>) => {
    setKept(typed);
    await refetch();
    setReadings((count) => count + 1);
    settle();
  };
  return (
    <>
      <PageHeader title={`Edit ${title}`} />
      <Form
        key={readings}
        record={{ ...record, ...kept }}
        warnWhenUnsavedChanges
        noValidate
        disableInvalidFormNotification
      >
        <RecordForm
          fields={resource.edit}
          submitLabel="Save"
          cancelHref={adminHref.show(resource.name, record.id)}
          saving={saving}
          problem={failure && !saving ? problemOf(failure, `${title} was not saved`) : null}
          {...(conflict && !saving ? { remedy: <Reload onReload={reload} /> } : {})}
        />
      </Form>
      <ShowAside resource={resource} record={record} fields={arrange(resource).aside} />
    </>
  );
}

/** After a conflict: the record as it is now, with what was typed here on top, so that nothing has to be typed again. */
function Reload({ onReload }: { onReload: (typed: Record<string, unknown>) => Promise<void> }) {
  const { getValues } = useFormContext();
  const changed = Object.keys(useFormState().dirtyFields);
  return (
    <div>
      <Button
        onClick={() => {
          const values: Record<string, unknown> = getValues();
          void onReload(Object.fromEntries(changed.map((name) => [name, values[name]])));
        }}
      >
        Reload and keep my changes
      </Button>
    </div>
  );
}
