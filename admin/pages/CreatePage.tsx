import { useState } from 'react';
import { CreateBase, Form, useNavigate, useParams, useSaveContext } from 'react-admin';
import { useToast } from '../../console/ui/feedback/toasts';
import { FallbackPage } from '../../console/ui/feedback/FallbackPage';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { AsidePanel } from '../../console/ui/layout/AsidePanel';
import { Aside, useCrumbs } from '../frame/slots';
import { internalOf } from '../frame/RouterLink';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { withArticle } from '../schema/labels';
import type { ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { NotFoundPage } from './Fallback';
import { RecordForm } from './RecordForm';

export function CreatePage({ resource }: { resource: ResourceDescription }) {
  const { '*': deeper } = useParams();
  const refused = useRefusal()(resource, 'create');
  const toast = useToast();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>();
  const [idempotency_key] = useState(() => crypto.randomUUID());
  useCrumbs([{ label: resource.label, href: adminHref.list(resource.name) }, { label: 'Add' }]);
  if (deeper) return <NotFoundPage />;
  if (refused !== undefined)
    return <FallbackPage kind="forbidden" landmark={false} message={refused} homeHref={adminHref.home} />;
  return (
    <CreateBase<Omit<AdminRecord, 'id'>, AdminRecord>
      resource={resource.name}
      record={initialRecord(resource)}
      disableAuthentication
      redirect={false}
      mutationOptions={{
        meta: { idempotency_key },
        onSuccess: (record) => {
          toast({ tone: 'ok', title: `Added ${titleOf(resource, record)}` });
          navigate(internalOf(adminHref.show(resource.name, record.id)));
        },
        onError: setFailure,
      }}
    >
      <PageHeader title={`Add ${withArticle(resource.singular)}`} subtitle={resource.about} />
      <CreateForm resource={resource} failure={failure} />
      <Aside>
        <AsidePanel
          sections={[
            { title: 'About', content: <p>What is marked optional has a default or may stay empty.</p> },
          ]}
        />
      </Aside>
    </CreateBase>
  );
}

const initialRecord = (resource: ResourceDescription) =>
  Object.fromEntries(
    resource.create.flatMap((field) => (field.initial === undefined ? [] : [[field.name, field.initial]])),
  );

function CreateForm({ resource, failure }: { resource: ResourceDescription; failure: unknown }) {
  const { saving = false } = useSaveContext();
  return (
    <Form warnWhenUnsavedChanges noValidate disableInvalidFormNotification>
      <RecordForm
        fields={resource.create}
        submitLabel={`Add ${resource.singular}`}
        cancelHref={adminHref.list(resource.name)}
        saving={saving}
        problem={failure && !saving ? problemOf(failure, `The ${resource.singular} was not added`) : null}
      />
    </Form>
  );
}
