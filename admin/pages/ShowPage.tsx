import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineRounded';
import EditOutlined from '@mui/icons-material/EditOutlined';
import { styled } from '@mui/material/styles';
import { Suspense, useState } from 'react';
import { ShowBase, useParams, useShowContext } from 'react-admin';
import { LinkButton } from '../../console/ui/controls/LinkButton';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { Notice } from '../../console/ui/feedback/Notice';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { Panel } from '../../console/ui/layout/Panel';
import { color, space, tabular, type } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { adminHref } from '../paths';
import { titleOf, type AdminRecord } from '../record';
import { recordPanels } from '../resources';
import { Fact } from '../schema/Fact';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { ActionButton } from './ActionButton';
import { arrange } from './arrange';
import { DeleteDialog } from './DeleteDialog';
import { NotFoundPage, RefusedPage, Unread } from './Fallback';
import { RecordTabs } from './RecordTabs';
import { ShowAside } from './ShowAside';
import { crumbsTo, type Within } from './within';

/** The row of a list is what is seen first, and may know less than the record: that is asked for in any case. */
const quiet = { onError: () => undefined, staleTime: 0 };

interface Props {
  resource: ResourceDescription;
  /** Its id, where the address does not end with it. */
  id?: string;
  within?: Within;
}

export function ShowPage({ resource, id: given, within }: Props) {
  const { id, '*': deeper } = useParams();
  const refused = useRefusal()(resource, 'show');
  if (deeper && given === undefined) return <NotFoundPage />;
  if (refused !== undefined) return <RefusedPage reason={refused} />;
  const which = given ?? id ?? '';
  return (
    <ShowBase<AdminRecord>
      key={which}
      id={which}
      resource={resource.name}
      disableAuthentication
      queryOptions={quiet}
    >
      <ShowView resource={resource} {...(within === undefined ? {} : { within })} />
    </ShowBase>
  );
}

const Troubles = styled('div')({ display: 'grid', gap: space(2), marginBottom: space(6) });
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

function ShowView({ resource, within }: Pick<Props, 'resource' | 'within'>) {
  const { record, isPending, error, refetch } = useShowContext<AdminRecord>();
  const refusal = useRefusal();
  const [deleting, setDeleting] = useState(false);
  const title = record ? titleOf(resource, record) : '…';
  useCrumbs([...crumbsTo(resource, within), { label: title }]);
  if (error || isPending || !record) return <Unread resource={resource} error={error} retry={refetch} />;
  const { trouble, usage, wide, details, aside } = arrange(resource);
  const status = resource.fields.find((field) => field.type === 'status');
  const noEdit = refusal(resource, 'edit');
  const noDelete = refusal(resource, 'delete');
  const fact = (field: FieldDescription) => <Fact field={field} value={record[field.name]} record={record} />;
  const filled = wide.filter((field) => !isEmpty(record[field.name]));
  return (
    <>
      <RecordTabs resource={resource} record={record} />
      <PageHeader
        title={title}
        {...(status && !isEmpty(record[status.name])
          ? { status: <StatusChip status={String(record[status.name])} /> }
          : {})}
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
      {trouble.some((field) => !isEmpty(record[field.name])) && (
        <Troubles>
          {trouble
            .filter((field) => !isEmpty(record[field.name]))
            .map((field) => (
              <Notice
                key={field.name}
                tone={field.type === 'list' ? 'attention' : 'error'}
                title={field.label}
              >
                {fact(field)}
              </Notice>
            ))}
        </Troubles>
      )}
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
        <Suspense key={index} fallback={<Bar w="40%" />}>
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
