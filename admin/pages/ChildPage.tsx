import { useGetOne, useParams } from 'react-admin';
import type { ReactNode } from 'react';
import type { Crumb } from '../../console/ui/layout/frameData';
import { TextLink } from '../../console/ui/link';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { createFields } from '../schema/forms';
import type { ResourceDescription } from '../schema/types';
import { childFilter, leftOut, type Child } from './related/child';
import { CreatePage } from './CreatePage';
import { EditPage } from './EditPage';
import { NotFoundPage, RefusedPage } from './Fallback';
import { useRefusal } from '../session';
import { ListPage } from '../lists/ListPage';
import { RecordTabs } from './RecordTabs';
import { ShowPage } from './ShowPage';
import { viewRecord } from './recordView';
import type { Within } from './parentRecord';
import { ownValue } from '../../console/lib/ownValue';

const once = { retry: false, onError: () => undefined };

const idOf = ({ idType }: ResourceDescription, id: string) => (idType === 'integer' ? Number(id) : id);

/** Pages below a record: the list of records that reference it, and that list's pages. */
type ChildForm = 'list' | 'create' | 'show' | 'edit' | 'grandchildren';

interface Props {
  parent: ResourceDescription;
  child: Child;
  form: ChildForm;
  /** For `grandchildren`: the resource that references the child. */
  grandchild?: Child;
}

export function ChildPage({ parent, child, form, grandchild }: Props) {
  const { id = '', childId = '' } = useParams();
  const refused = useRefused(parent, child, form, grandchild);
  const { data, error, refetch } = useGetOne<AdminRecord>(
    parent.name,
    { id },
    { ...once, enabled: refused === undefined },
  );
  if (refused !== undefined) return <RefusedPage reason={refused} />;
  const view = viewRecord(parent, { record: data, error, refetch });
  if (!view.record) return view.page;
  const { record, notice } = view;
  const title = titleOf(parent, record);
  const within: Within = {
    title,
    href: adminHref.child(parent.name, id, child.resource.name),
    fixed: { [child.field.name]: idOf(parent, id) },
    crumbs: [
      { label: parent.label, href: adminHref.list(parent.name) },
      { label: title, href: adminHref.show(parent.name, id) },
      {
        label: child.resource.label,
        href: adminHref.child(parent.name, id, child.resource.name),
      },
    ],
  };
  if (form === 'create')
    return (
      <>
        {notice}
        <CreatePage resource={child.resource} within={within} />
      </>
    );
  if (form === 'list')
    return (
      <>
        {notice}
        <RecordTabs resource={parent} record={record} />
        <ChildList parent={parent} child={child} within={within} />
      </>
    );
  return (
    <One parent={parent} child={child} within={within} id={childId}>
      {(one) =>
        form === 'edit' ? (
          <EditPage resource={child.resource} id={childId} within={within} />
        ) : form === 'show' ? (
          <ShowPage resource={child.resource} id={childId} within={within} />
        ) : (
          grandchild && (
            <>
              {one.notice}
              <Grandchildren within={within} record={one.record} {...{ parent, child, grandchild }} />
            </>
          )
        )
      }
    </One>
  );
}

/** Returns the first missing permission among everything the page reads. */
function useRefused(
  parent: ResourceDescription,
  { resource }: Child,
  form: ChildForm,
  grandchild: Child | undefined,
): string | undefined {
  const refusal = useRefusal();
  return (
    refusal(parent, 'show') ??
    (grandchild
      ? (refusal(resource, 'show') ?? refusal(grandchild.resource, 'list'))
      : refusal(resource, form === 'grandchildren' ? 'show' : form))
  );
}

/**
 * Loads the child record, which must belong to the parent in the address. Its page and form read it themselves and
 * show the notice; any other page below it shows `notice`.
 */
function One({
  parent,
  child: { resource, field },
  within,
  id,
  children,
}: {
  parent: ResourceDescription;
  child: Child;
  within: Within;
  id: string;
  children: (one: { record: AdminRecord; notice: ReactNode }) => ReactNode;
}) {
  const { data, error, refetch } = useGetOne<AdminRecord>(resource.name, { id }, once);
  const view = viewRecord(resource, { record: data, error, refetch });
  if (!view.record) return view.page;
  if (ownValue(view.record, field.name) !== ownValue(within.fixed, field.name))
    return <NotFoundPage message={`This ${resource.singular} doesn’t belong to this ${parent.singular}.`} />;
  return children(view);
}

/** Says what the list excludes, with a link to everything. */
function subtitleOf(child: Child, id: unknown): { subtitle?: ReactNode } {
  const left = leftOut(child, id);
  if (left === null) return {};
  return {
    subtitle: (
      <>
        {left.text} <TextLink href={left.allHref}>Show all</TextLink>
      </>
    ),
  };
}

function ChildList({ parent, child, within }: { parent: ResourceDescription; child: Child; within: Within }) {
  const { resource, field } = child;
  const { id = '' } = useParams();
  // Without the reference in the create form, records can't be added here.
  const fits = createFields(resource).some(({ name }) => name === field.name);
  const editable = resource.permissions.edit !== undefined;
  return (
    <ListPage
      key={`${parent.name}/${id}`}
      resource={resource}
      fixed={childFilter(child, idOf(parent, id))}
      {...subtitleOf(child, idOf(parent, id))}
      crumbs={lastWithoutHref(within.crumbs)}
      {...(fits
        ? {
            createHref: adminHref.deeper(parent.name, id, resource.name, 'create'),
          }
        : {})}
      {...(editable
        ? {
            editHref: (record: AdminRecord) =>
              adminHref.deeper(parent.name, id, resource.name, record.id, 'edit'),
          }
        : {})}
      withoutCreate={!fits}
    />
  );
}

/** `workspaces/{id}/apps/{app_id}/cvms`: records that reference the child and, if possible, the parent. */
function Grandchildren({
  parent,
  child,
  grandchild,
  within,
  record,
}: {
  parent: ResourceDescription;
  child: Child;
  grandchild: Child;
  within: Within;
  record: AdminRecord;
}) {
  const { id = '' } = useParams();
  const { resource } = grandchild;
  const upper = resource.fields.find(({ reference }) => reference === parent.name);
  return (
    <>
      <RecordTabs resource={child.resource} record={record} />
      <ListPage
        key={`${parent.name}/${id}/${String(record.id)}`}
        resource={resource}
        fixed={{
          ...(upper ? { [upper.name]: idOf(parent, id) } : {}),
          ...childFilter(grandchild, record.id),
        }}
        {...subtitleOf(grandchild, record.id)}
        crumbs={[
          ...within.crumbs,
          {
            label: titleOf(child.resource, record),
            ...(child.resource.permissions.show === undefined
              ? {}
              : { href: adminHref.show(child.resource.name, record.id) }),
          },
          { label: resource.label },
        ]}
        withoutCreate
      />
    </>
  );
}

const lastWithoutHref = (crumbs: readonly Crumb[]): Crumb[] =>
  crumbs.map((crumb, index) => (index === crumbs.length - 1 ? { label: crumb.label } : crumb));
