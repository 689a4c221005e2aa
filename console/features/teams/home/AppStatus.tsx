import styled from '@emotion/styled';
import type { App } from '../../../../generated/api/types.gen';
import { hasMoreCvms } from '../../../lib/apps/moreCvms';
import { StatusChip } from '../../../ui/feedback/StatusChip';
import { color, space, type } from '../../../ui/theme';
import { statusCounts } from './health';
import { curly } from '../../../lib/texts/curly';

const Row = styled('span')({
  display: 'inline-flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
});

const Newest = styled('span')({ ...type.small, color: color.muted });

/** Statuses of the app's CVMs with counts. Simulated hosts are marked because they prove nothing. */
export function AppStatus({ app }: { app: App }) {
  const counts = statusCounts(app.cvms);
  const simulated = app.cvms.some((cvm) => cvm.trust === 'simulated');
  const [only] = app.cvms;
  return (
    <Row>
      {counts.length === 0 && '—'}
      {counts.map(([status, n]) => (
        <StatusChip
          key={status}
          quiet
          status={status}
          {...(app.cvms.length > 1 ? { detail: String(n) } : {})}
          {...(app.cvms.length === 1 && only?.status_reason
            ? // Uses the server's text: bundling the sentences by ID would cost more than the list itself.
              { title: curly(only.status_reason) }
            : {})}
        />
      ))}
      {hasMoreCvms(app) && <Newest>of the newest {app.cvms.length}</Newest>}
      {simulated && <StatusChip status="simulated" title="Local teepod, no hardware TEE" />}
    </Row>
  );
}
