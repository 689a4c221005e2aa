import { createElement, Suspense, useMemo, useState } from 'react';
import { CreateBase, useNavigate, useParams, useSaveContext } from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { AsidePanel } from '../../console/ui/layout/AsidePanel';
import { Aside, useCrumbs } from '../frame/slots';
import { internalOf } from '../frame/RouterLink';
import { problemOf } from '../http';
import { spokenOf, type AdminRecord } from '../record';
import { createPanels } from '../resources';
import { createFields, initialValues } from '../schema/forms';
import { createFailed, createLabel } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { NotFoundPage, RefusedPage } from './Fallback';
import { waitsAt, waitsForApproval } from '../waiting';
import { RecordForm } from './RecordForm';
import { SaveForm } from './SaveForm';
import { afterHref, createdText, createTitle, crumbsTo, listHref, type Within } from './parentRecord';
import { useSaveCheck } from './useSaveCheck';
import { ownValue } from '../../console/lib/ownValue';
import { newIdempotencyKey } from '../../console/lib/idempotencyKey';

interface Props {
  resource: ResourceDescription;
  within?: Within;
}

/** Create form; below another record, its reference is fixed. */
export function CreatePage({ resource, within }: Props) {
  const { '*': deeper } = useParams();
  const refused = useRefusal()(resource, 'create');
  const toast = useToast();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const [idempotency_key] = useState(newIdempotencyKey);
  const fields = useMemo(() => createFields(resource), [resource]);
  const [record] = useState(() => ({
    ...initialValues(fields),
    ...within?.fixed,
  }));
  useCrumbs([...crumbsTo(resource, within), { label: resource.hints.create?.label ?? 'Add' }]);
  if (deeper && within === undefined) return <NotFoundPage />;
  if (refused !== undefined) return <RefusedPage reason={refused} />;
  return (
    <CreateBase<Omit<AdminRecord, 'id'>, AdminRecord>
      resource={resource.name}
      record={record}
      disableAuthentication
      redirect={false}
      mutationOptions={{
        meta: { idempotency_key },
        onSuccess: (made) => {
          const waits = waitsAt(made);
          if (waits !== null) {
            toast(waitsForApproval(createLabel(resource)));
            return navigate(internalOf(waits));
          }
          toast({ tone: 'ok', title: createdText(resource, spokenOf(resource, made), within) });
          navigate(internalOf(afterHref(resource, made, within)));
        },
        onError: setFailure,
      }}
    >
      <PageHeader title={createTitle(resource, within)} subtitle={resource.aboutOne} />
      <CreateForm
        resource={resource}
        fields={fields.filter((field) => !Object.hasOwn(within?.fixed ?? {}, field.name))}
        cancelHref={listHref(resource, within)}
        failure={failure}
      />
      <Aside>
        <AsidePanel
          sections={[
            {
              title: 'About',
              content: <p>Optional fields have defaults or can be left empty.</p>,
            },
          ]}
        />
      </Aside>
    </CreateBase>
  );
}

function CreateForm({
  resource,
  fields,
  cancelHref,
  failure,
}: {
  resource: ResourceDescription;
  fields: ReturnType<typeof createFields>;
  cancelHref: string;
  failure: unknown;
}) {
  const { saving = false } = useSaveContext();
  const { onSubmit, checking, dialog } = useSaveCheck(resource);
  const Extra = ownValue(createPanels, resource.name);
  return (
    <SaveForm warnWhenUnsavedChanges {...(onSubmit === undefined ? {} : { onSubmit })}>
      <RecordForm
        fields={fields}
        submitLabel={createLabel(resource)}
        cancelHref={cancelHref}
        saving={saving || checking}
        panel={Extra && <Suspense fallback={null}>{createElement(Extra)}</Suspense>}
        problem={failure && !saving ? problemOf(failure, createFailed(resource)) : null}
      />
      {dialog}
    </SaveForm>
  );
}
