import { ActionButton } from '../../console/ui/controls/ActionButton';
import { LinkButton } from '../../console/ui/controls/Button';
import PencilIcon from 'lucide-react/icons/pencil';
import styled from '@emotion/styled';
import { Suspense } from 'react';
import { ShowBase, useParams, useShowContext } from 'react-admin';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { Notice } from '../../console/ui/feedback/Notice';
import { PageHeader } from '../../console/ui/layout/PageHeader';
import { Panel } from '../../console/ui/layout/Panel';
import { color, space, tabular, type } from '../../console/ui/theme';
import { useCrumbs } from '../frame/slots';
import { adminHref } from '../paths';
import { headlineOf, type AdminRecord } from '../record';
import { leadPanels, recordPanels } from '../resources';
import { Fact } from '../schema/Fact';
import { isAbsent } from '../schema/limit';
import { desiredLabel, isSilent } from '../schema/observed';
import { States } from '../schema/States';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { useRefusal } from '../session';
import { unmetNeed } from './needs';
import { RecordAction } from './RecordAction';
import { arrange, isWorthALine } from './fieldLayout';
import { DangerZone } from './DangerZone';
import { NotFoundPage, RefusedPage } from './Fallback';
import { Related } from './Related';
import { RecordTabs } from './RecordTabs';
import { ShowAside } from './ShowAside';
import { viewRecord } from './recordView';
import { crumbsTo, type Within } from './parentRecord';
import { ownValue } from '../../console/lib/ownValue';

/** Always refetches: the cached list row appears first and may have fewer fields than the record. */
const quiet = { onError: () => undefined, staleTime: 0 };

interface Props {
  resource: ResourceDescription;
  /** The record's ID, if the address doesn't end with it. */
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

const Troubles = styled('div')({
  display: 'grid',
  gap: space(2),
  marginBottom: space(6),
});
/** Reserves space for a heading with a bar and a line, so that nothing moves when they load. */
const Lead = styled('div')({ minHeight: 120, marginBottom: space(8) });
const Bars = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 176px), 1fr))',
  gap: `${space(3)} ${space(6)}`,
});

const Details = styled('dl')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 144px), 1fr))',
  gap: `${space(3)} ${space(5)}`,
  '& > div': { minWidth: 0 },
  '& > [data-long]': { gridColumn: 'span 2' },
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
  const view = viewRecord(resource, useShowContext<AdminRecord>());
  const refusal = useRefusal();
  const title = view.record ? headlineOf(resource, view.record) : '…';
  useCrumbs([...crumbsTo(resource, within), { label: title }]);
  if (!view.record) return view.page;
  const { record, notice } = view;
  const { trouble, usage: usages, wide, details, aside } = arrange(resource);
  const usage = usages.filter((field) => !isAbsent(field, record));
  const status = resource.fields.find((field) => field.type === 'status');
  const noEdit = refusal(resource, 'edit') ?? unmetNeed(resource.hints.edit ?? {}, record);
  const ordinary = resource.actions.filter(({ danger }) => !danger);
  const isShown = (field: FieldDescription) => isWorthALine(field, ownValue(record, field.name));
  const fact = (field: FieldDescription) => (
    <Fact field={field} value={ownValue(record, field.name)} record={record} />
  );
  const filled = wide.filter(isShown);
  const lead = ownValue(leadPanels, resource.name);
  return (
    <>
      {notice}
      <RecordTabs resource={resource} record={record} />
      <PageHeader
        title={title}
        {...(status && isShown(status) ? { status: <States headline field={status} record={record} /> } : {})}
        {...(resource.permissions.edit === undefined
          ? {}
          : {
              primary:
                noEdit === undefined ? (
                  <LinkButton
                    href={adminHref.edit(resource.name, record.id)}
                    variant="contained"
                    startIcon={<PencilIcon />}
                  >
                    Edit
                  </LinkButton>
                ) : (
                  <ActionButton reason={noEdit} variant="contained" startIcon={<PencilIcon />}>
                    Edit
                  </ActionButton>
                ),
            })}
        {...(ordinary.length === 0
          ? {}
          : {
              secondary: ordinary.map((action) => (
                <RecordAction key={action.name} resource={resource} record={record} action={action} />
              )),
            })}
      />
      {trouble.some(isShown) && (
        <Troubles>
          {trouble.filter(isShown).map((field) => (
            <Notice key={field.name} tone={field.type === 'list' ? 'attention' : 'error'} title={field.label}>
              {fact(field)}
            </Notice>
          ))}
        </Troubles>
      )}
      {lead && (ownValue(record, lead.field) ?? null) !== null && (
        <Lead>
          <Suspense fallback={<Bar w="40%" />}>
            <lead.component resource={resource} record={record} />
          </Suspense>
        </Lead>
      )}
      {usage.length > 0 && (
        <Panel title="Usage" framed>
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
            .filter((field) => field !== status || isSilent(status, record))
            .filter(isShown)
            .map((field) => (
              <div key={field.name} data-long={isLong(field, record) || undefined}>
                <Term>{field === status ? desiredLabel(field) : field.label}</Term>
                <Value>{fact(field)}</Value>
              </div>
            ))}
        </Details>
      </Panel>
      {filled.map((field) => (
        <Panel
          key={field.name}
          title={field.label}
          {...(field.type === 'rows' && field.help !== undefined ? { subtitle: field.help } : {})}
        >
          {fact(field)}
        </Panel>
      ))}
      {/* Loaded together: a panel that arrives later would push down the ones below it. */}
      <Suspense fallback={<Bar w="40%" />}>
        {ownValue(recordPanels, resource.name)?.map((Extra, index) => (
          <Extra key={index} resource={resource} record={record} />
        ))}
        <Related resource={resource} record={record}>
          <DangerZone resource={resource} record={record} />
        </Related>
      </Suspense>
      <ShowAside resource={resource} record={record} fields={aside} />
    </>
  );
}

/** Minimum length of addresses and keys that a single column would truncate, in characters. */
const LONG = 16;

/** The same for a word without a break opportunity, such as an address. */
const LONG_WORD = 18;

function isLong({ type, name }: FieldDescription, record: AdminRecord): boolean {
  const value = String(ownValue(record, name) ?? '');
  if (type === 'mono') return value.length > LONG;
  return type === 'text' && value.split(/\s/).some((word) => word.length > LONG_WORD);
}
