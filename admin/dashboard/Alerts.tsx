import { LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useGetList } from 'react-admin';
import type { AdminAlert } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Glyph } from '../../console/ui/feedback/Glyph';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { toneText } from '../../console/ui/feedback/ToneChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, space, type } from '../../console/ui/theme';
import { problemOf } from '../http';
import { adminHref } from '../paths';
import { Icon, Since } from './itemStyles';

const MAX_SHOWN = 5;

const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr) auto',
  gap: `${space(1)} ${space(3)}`,
  padding: `${space(2.5)} 0`,
  '& + &': { borderTop: `1px solid ${color.line}` },
});
const Detail = styled('p')({
  ...type.small,
  color: color.muted,
  overflowWrap: 'anywhere',
});
const None = styled('p')({ ...type.body, margin: 'auto', color: color.muted });

/** Open and acknowledged alerts, newest first. */
export function Alerts({ every }: { every: number }) {
  const { data, total, error, refetch } = useGetList<AdminAlert>(
    'alerts',
    {
      pagination: { page: 1, perPage: MAX_SHOWN },
      sort: { field: 'opened_at', order: 'DESC' },
      filter: { state: ['open', 'acknowledged'] },
    },
    { refetchInterval: every, onError: () => undefined },
  );
  return (
    <Panel
      title="Open alerts"
      framed
      subtitle={
        total === undefined || total <= MAX_SHOWN ? undefined : `Latest ${MAX_SHOWN} of ${count(total)}.`
      }
      actions={
        <LinkButton size="small" href={adminHref.list('alerts')}>
          All alerts
        </LinkButton>
      }
    >
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load alerts', () => void refetch())} />
      ) : !data ? (
        <Bar w="60%" />
      ) : data.length === 0 ? (
        <None>No open alerts.</None>
      ) : (
        <ul>
          {data.map((alert) => (
            <AlertLine key={alert.id} alert={alert} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

function AlertLine({ alert }: { alert: AdminAlert }) {
  const isCritical = alert.severity === 'critical';
  return (
    <Item>
      <Icon style={{ color: toneText(isCritical ? 'error' : 'attention') }}>
        <Glyph name={isCritical ? 'cross' : 'warning'} />
      </Icon>
      <div>
        <TextLink href={adminHref.show('alerts', alert.id)}>{alert.title}</TextLink>
        <Detail>{stateOf(alert)}</Detail>
      </div>
      <Since>
        <RelativeTime at={alert.opened_at} />
      </Since>
    </Item>
  );
}

/** "Critical. Not acknowledged." */
export function stateOf({ severity, acknowledged_at, acknowledged_by }: AdminAlert): string {
  const level = severity === 'critical' ? 'Critical' : 'Warning';
  if (acknowledged_at === null) return `${level}. Not acknowledged.`;
  return `${level}. Acknowledged${acknowledged_by === null ? '' : ` by ${acknowledged_by}`}.`;
}
