import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import { styled } from '@mui/material/styles';
import { Suspense, useState } from 'react';
import { ShowBase, useParams, useShowContext } from 'react-admin';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { PageSkeleton } from '../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { Panel } from '../../console/ui/layout/Panel';
import { color, space, tabular, type } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { recordPanels } from '../resources';
import { Fact } from '../schema/Fact';
import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { ActionButton } from './ActionButton';
import { DeleteDialog } from './DeleteDialog';
import { NotFoundPage, RecordProblem } from './Fallback';
import { ShowAside } from './ShowAside';

const quiet = { onError: () => undefined };

export function ShowPage({ resource }: { resource: ResourceDescription }) {
  const { id, '*': deeper } = useParams();
  if (deeper) return <NotFoundPage />;
  return (
    <ShowBase<AdminRecord> key={id} resource={resource.name} disableAuthentication queryOptions={quiet}>
      <ShowView resource={resource} />
    </ShowBase>
  );
}

const Bars = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 240px), 1fr))',
  gap: `${space(4)} ${space(8)}`,
});

const Details = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 208px), 1fr))',
  gap: `${space(4)} ${space(6)}`,
  '& > div': { minWidth: 0 },
});
const Term = styled('dt')({ ...type.caption, color: color.muted });
const Value = styled('dd')({
  ...type.body,
  ...tabular,
  marginTop: space(0.5),
  minWidth: 0,
  overflowWrap: 'anywhere',
});

/** Kinds that need the width of the page, each under a heading of its own; so does text that may be a paragraph. */
const WIDE: ReadonlySet<FieldType> = new Set(['long_text', 'code', 'json', 'list']);
const PARAGRAPH = 1000;

const isWide = ({ type, maxLength = 0 }: FieldDescription) =>
  WIDE.has(type) || (type === 'text' && maxLength >= PARAGRAPH);

/** Which fields go where, by their kind alone. Times and the id are context: they stand in the aside. */
export function arrange(resource: ResourceDescription) {
  const limits = new Set(resource.fields.flatMap((field) => field.limit ?? []));
  const inAside = (field: FieldDescription) =>
    field.name === 'id' || (field.readOnly && field.type === 'time');
  const shown = resource.fields.filter(
    (field) => field.name !== resource.titleField && !limits.has(field.name),
  );
  return {
    usage: shown.filter((field) => field.type === 'usage'),
    wide: shown.filter(isWide),
    details: shown.filter(
      (field) => field.type !== 'usage' && field.type !== 'secret' && !isWide(field) && !inAside(field),
    ),
    aside: resource.fields.filter(inAside),
  };
}

function ShowView({ resource }: { resource: ResourceDescription }) {
  const { record, isPending, error, refetch } = useShowContext<AdminRecord>();
  const refusal = useRefusal();
  const [deleting, setDeleting] = useState(false);
  const title = record ? titleOf(resource, record) : '…';
  useCrumbs([{ label: resource.label, href: adminHref.list(resource.name) }, { label: title }]);
  if (error)
    return (
      <RecordProblem
        error={error}
        title={`The ${resource.singular} could not be read`}
        retry={() => void refetch()}
      />
    );
  if (isPending || !record) return <PageSkeleton label={`Loading the ${resource.singular}`} />;
  const { usage, wide, details, aside } = arrange(resource);
  const status = resource.fields.find((field) => field.type === 'status');
  const noEdit = refusal(resource, 'edit');
  const noDelete = refusal(resource, 'delete');
  const fact = (field: FieldDescription) => <Fact field={field} value={record[field.name]} record={record} />;
  const filled = wide.filter((field) => !isEmpty(record[field.name]));
  return (
    <>
      <PageHeader
        title={title}
        {...(status ? { status: <StatusChip status={String(record[status.name])} /> } : {})}
        {...(resource.permissions.edit === undefined
          ? {}
          : {
              primary: (
                <LinkButton
                  href={adminHref.edit(resource.name, record.id)}
                  variant="contained"
                  color="primary"
                  startIcon={<EditOutlined />}
                  disabled={noEdit !== undefined}
                  {...(noEdit === undefined ? {} : { title: noEdit })}
                >
                  Edit
                </LinkButton>
              ),
            })}
        {...(resource.actions.length === 0
          ? {}
          : {
              secondary: resource.actions.map((action) => (
                <ActionButton key={action.name} resource={resource} record={record} action={action} />
              )),
            })}
        overflow={
          resource.permissions.delete === undefined
            ? []
            : [
                {
                  id: 'delete',
                  label: `Delete ${resource.singular}…`,
                  icon: <DeleteOutlineRounded />,
                  danger: true,
                  onSelect: () => setDeleting(true),
                  ...(noDelete === undefined ? {} : { disabledReason: noDelete }),
                },
              ]
        }
      />
      {usage.length > 0 && (
        <Panel title="In use" framed>
          <Bars>
            {usage.map((field) => (
              <div key={field.name}>{fact(field)}</div>
            ))}
          </Bars>
        </Panel>
      )}
      <Panel title="Details" framed>
        <Details>
          {details
            .filter((field) => field !== status)
            .map((field) => (
              <div key={field.name}>
                <Term>{field.label}</Term>
                <Value>{fact(field)}</Value>
              </div>
            ))}
        </Details>
      </Panel>
      {filled.map((field) => (
        <Panel key={field.name} title={field.label}>
          {fact(field)}
        </Panel>
      ))}
      {recordPanels[resource.name]?.map((Extra, index) => (
        <Suspense key={index} fallback={<PageSkeleton rows={3} />}>
          <Extra resource={resource} record={record} />
        </Suspense>
      ))}
      <ShowAside resource={resource} record={record} fields={aside} />
      <DeleteDialog resource={resource} record={record} open={deleting} onClose={() => setDeleting(false)} />
    </>
  );
}

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
