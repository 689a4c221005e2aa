import styled from '@emotion/styled';
import type { AdminFleetConcern, AdminFleetNode, AdminFleetTeepod } from '../../../generated/api/types.gen';
import { formatGb } from '../../../console/lib/cvms/sizes';
import { CapacityBar } from '../../../console/ui/data/Meter';
import { RelativeTime } from '../../../console/ui/data/RelativeTime';
import { Glyph } from '../../../console/ui/feedback/Glyph';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { toneSolid, toneText } from '../../../console/ui/feedback/ToneChip';
import { TextLink } from '../../../console/ui/link';
import { color, radius, space, type } from '../../../console/ui/theme';
import { adminHref } from '../../paths';
import { usageOf, usageText } from '../../schema/usage';
import { MoreLink } from './MoreLink';
import { ownValue } from '../../../console/lib/ownValue';
import { showText } from '../../../console/lib/texts/allTexts';

const Card = styled('li')({
  display: 'grid',
  gap: space(3),
  padding: space(4),
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  minWidth: 0,
});
const Line = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: space(2),
});
const Name = styled('h3')({
  ...type.body,
  fontWeight: 550,
  flex: 1,
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Sub = styled('p')({ ...type.caption, color: color.muted });
const Pod = styled('div')({
  display: 'grid',
  gap: space(2),
  paddingTop: space(3),
  borderTop: `1px solid ${color.line}`,
});
const PodName = styled('span')({
  ...type.body,
  flex: 1,
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Bars = styled('div')({
  display: 'grid',
  // One column on a phone, where two would overlap.
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 160px), 1fr))',
  gap: `${space(2)} ${space(4)}`,
});
const Gpus = styled('ul')({ display: 'flex', flexWrap: 'wrap', gap: 3 });
const Square = styled('a')({
  display: 'block',
  width: 24,
  height: 24,
  borderRadius: 4,
});
const Worry = styled('p')({
  ...type.caption,
  display: 'flex',
  gap: space(1.5),
  overflowWrap: 'anywhere',
  '& svg': { flex: 'none', fontSize: 14, marginTop: 2 },
});

const GPU_TONES: Readonly<Record<string, string>> = {
  free: color.neutralSoft,
  reserved: color.neutralSolid,
  attached: color.accent,
  faulty: toneSolid('error'),
};

/** A node with its teepods, their load and GPUs, and what needs attention. */
export function NodeCard({ node }: { node: AdminFleetNode }) {
  const { maintenance } = node;
  return (
    <Card>
      <Line>
        <Name>
          <TextLink href={adminHref.show('nodes', node.id)}>{node.name}</TextLink>
        </Name>
        <StatusChip quiet status={node.state} />
      </Line>
      {maintenance && (
        <Sub>
          <TextLink href={adminHref.show('maintenance-windows', maintenance.id)}>Maintenance</TextLink>{' '}
          {maintenance.state === 'active' ? 'ends ' : 'starts '}
          <RelativeTime at={maintenance.state === 'active' ? maintenance.ends_at : maintenance.starts_at} />
        </Sub>
      )}
      <Worries concerns={node.concerns} />
      {node.teepods.length === 0 && <Sub>No teepods</Sub>}
      {node.teepods.map((teepod) => (
        <PodPart key={teepod.id} teepod={teepod} />
      ))}
      <MoreLink
        listed={node.teepods.length}
        total={node.teepod_count}
        noun={['teepod', 'teepods']}
        href={adminHref.list('teepods', { node_id: node.id })}
      />
    </Card>
  );
}

function PodPart({ teepod }: { teepod: AdminFleetTeepod }) {
  const { sums } = teepod;
  return (
    <Pod>
      <Line>
        <PodName>
          <TextLink href={adminHref.show('teepods', teepod.id)}>{teepod.name}</TextLink>
        </PodName>
        <StatusChip
          quiet
          status={teepod.reachable || teepod.state === 'offline' ? teepod.state : 'unreachable'}
        />
      </Line>
      <Bars>
        <CapacityBar label="CVMs" used={sums.used_cvms} total={sums.max_cvms} unit="" />
        <CapacityBar label="vCPU" used={sums.used_vcpu} total={sums.max_vcpu} unit="" />
        <SizeBar label="Memory" used={sums.used_memory_mb} total={sums.max_memory_mb} unit="megabytes" />
        <SizeBar label="Disk" used={sums.used_disk_gb} total={sums.max_disk_gb} unit="gigabytes" />
      </Bars>
      {sums.recycled_cvms > 0 && (
        <Sub>
          Recycle bin: {sums.recycled_cvms === 1 ? '1 CVM' : `${sums.recycled_cvms} CVMs`},{' '}
          {formatGb(sums.recycled_disk_gb)} of disk
        </Sub>
      )}
      {teepod.gpus.length > 0 && (
        <Gpus aria-label={`${teepod.name} GPUs`}>
          {teepod.gpus.map(({ id, slot, state }) => (
            <li key={id}>
              <Square
                href={adminHref.show('gpus', id)}
                aria-label={`GPU ${slot}: ${state}`}
                title={`${slot}: ${state}`}
                style={{
                  backgroundColor: ownValue(GPU_TONES, state) ?? color.neutralSoft,
                }}
              />
            </li>
          ))}
        </Gpus>
      )}
      <MoreLink
        listed={teepod.gpus.length}
        total={sums.gpus}
        noun={['GPU', 'GPUs']}
        href={adminHref.list('gpus', { teepod_id: teepod.id })}
      />
      {teepod.drain_id !== null && (
        <Sub>
          <TextLink href={adminHref.show('drains', teepod.drain_id)}>Draining</TextLink>
        </Sub>
      )}
      <Worries concerns={teepod.concerns} />
      <MoreLink
        listed={teepod.concerns.length}
        total={teepod.concern_count}
        noun={['warning', 'warnings']}
        href={adminHref.show('teepods', teepod.id)}
      />
    </Pod>
  );
}

/** Uses the same units as other pages. */
const SizeBar = ({
  label,
  used,
  total,
  unit,
}: {
  label: string;
  used: number;
  total: number;
  unit: 'megabytes' | 'gigabytes';
}) => (
  <CapacityBar
    label={label}
    used={used}
    total={total}
    unit=""
    figures={usageText(usageOf({ unit }, used, total))}
  />
);

function Worries({ concerns }: { concerns: readonly AdminFleetConcern[] }) {
  return concerns.map(({ tone, text, text_keys }) => (
    <Worry key={text} style={{ color: toneText(tone === 'error' ? 'error' : 'attention') }}>
      <Glyph name={tone === 'error' ? 'cross' : 'warning'} />
      <span>{showText(text_keys, text)}</span>
    </Worry>
  ));
}
