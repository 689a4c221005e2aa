import { LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import type { AdminMonitoringEvent } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, radius, space, type } from '../../console/ui/theme';
import { adminHref } from '../paths';
import { reportTitle } from './attention';

const Root = styled('div')({ marginTop: space(8) });
const List = styled('ul')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
});
const Item = styled('li')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'baseline',
  gap: `${space(1)} ${space(4)}`,
  padding: `${space(2.5)} ${space(4)}`,
  '& + &': { borderTop: `1px solid ${color.line}` },
});
const Message = styled('span')({
  flex: '1 1 280px',
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Meta = styled('span')({
  ...type.caption,
  color: color.muted,
  whiteSpace: 'nowrap',
});
const None = styled('p')({ ...type.body, color: color.muted });

/** The latest browser errors, stored here when no error-reporting service is configured. */
export function Reports({ reports, total }: { reports: readonly AdminMonitoringEvent[]; total: number }) {
  return (
    <Root>
      <Panel
        title="Error reports"
        subtitle={total === 0 ? undefined : `Latest of ${count(total)}.`}
        actions={
          total === 0 ? undefined : (
            <LinkButton size="small" href={adminHref.list('monitoring-events')}>
              All reports
            </LinkButton>
          )
        }
      >
        {reports.length === 0 ? (
          <None>No stored reports. Reports sent to an error-reporting service don’t appear here.</None>
        ) : (
          <List>
            {reports.map((report) => (
              <Item key={report.id}>
                <Message>
                  <TextLink href={adminHref.show('monitoring-events', report.id)}>
                    {reportTitle(report)}
                  </TextLink>
                </Message>
                <Meta>{report.release ?? report.kind}</Meta>
                <Meta>
                  <RelativeTime at={report.received_at} />
                </Meta>
              </Item>
            ))}
          </List>
        )}
      </Panel>
    </Root>
  );
}
