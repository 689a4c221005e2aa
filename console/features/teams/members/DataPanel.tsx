import styled from '@emotion/styled';
import type { SessionTeam } from '../../../../generated/api/types.gen';
import { useMay } from '../../../api/session';
import {
  exportHref,
  keptFor,
  RETENTION,
  type ExportedKind,
  type RetainedKind,
} from '../../../lib/activity/retention';
import { membersPath, transactionsPath } from '../../../lib/paths';
import { ExportLinks } from '../../../ui/controls/ExportLinks';
import { Panel } from '../../../ui/layout/Panel';
import { TextLink } from '../../../ui/link';
import { color, space, type } from '../../../ui/theme';

const List = styled('dl')({ display: 'grid' });
const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
  padding: `${space(2.5)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '&:first-of-type': { paddingTop: 0 },
  '&:last-of-type': { borderBottom: 0, paddingBottom: 0 },
});
const Name = styled('dt')({ ...type.body, fontWeight: 550, flex: '1 1 160px' });
const Kept = styled('dd')({ ...type.small, color: color.muted, flex: '2 1 220px' });
const Export = styled('dd')({ ...type.small, color: color.muted });

const KINDS = [
  { kind: 'events', permission: 'cvms.read' },
  { kind: 'webhook_deliveries', permission: 'webhooks.read' },
  { kind: 'rollouts', permission: 'apps.read' },
  { kind: 'ai_requests', permission: 'ai.read' },
] as const satisfies readonly { kind: ExportedKind; permission: string }[];

const kept = (kind: RetainedKind) => `Kept for ${keptFor(kind)}`;

/** How long the team's data is kept, and where to export it. */
export function DataPanel({ team }: { team: SessionTeam }) {
  const { slug } = team;
  return (
    <Panel
      title="Data"
      framed
      subtitle="Admins and owners are notified before old data is deleted. Metrics are deleted without notice."
    >
      <List>
        {KINDS.map((one) => (
          <Exported key={one.kind} slug={slug} {...one} />
        ))}
        <Row>
          <Name>{RETENTION.metrics.what}</Name>
          <Kept>{kept('metrics')}</Kept>
          <Export>Export on a CVM’s usage page</Export>
        </Row>
        <Row>
          <Name>Audit log</Name>
          <Kept>Kept indefinitely</Kept>
          <Export>
            <TextLink href={membersPath(slug, 'audit')}>Open audit log</TextLink>
          </Export>
        </Row>
        <Row>
          <Name>Transactions and invoices</Name>
          <Kept>Kept indefinitely</Kept>
          <Export>
            <TextLink href={transactionsPath(slug)}>Open transactions</TextLink>
          </Export>
        </Row>
      </List>
    </Panel>
  );
}

function Exported({ slug, kind, permission }: { slug: string } & (typeof KINDS)[number]) {
  const may = useMay(permission, slug);
  const { what } = RETENTION[kind];
  return (
    <Row>
      <Name>{what}</Name>
      <Kept>{kept(kind)}</Kept>
      <Export>
        {may.allowed ? (
          <ExportLinks what={what.toLowerCase()} href={(format) => exportHref(slug, kind, format)} />
        ) : (
          may.reason
        )}
      </Export>
    </Row>
  );
}
