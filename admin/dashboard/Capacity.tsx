import styled from '@emotion/styled';
import type { AdminTeepod } from '../../generated/api/types.gen';
import { formatGb } from '../../console/lib/cvms/sizes';
import { count } from '../../console/lib/texts/count';
import { CapacityBar } from '../../console/ui/data/Meter';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, space, type } from '../../console/ui/theme';
import { adminHref } from '../paths';
import {
  closedText,
  excludedText,
  fullestOf,
  recycledOf,
  type ResourceKey,
  type Sums,
} from './fleetCapacity';
import { usageOf, usageText } from '../schema/usage';

const Bars = styled('div')({ display: 'grid', flex: 1, alignContent: 'space-between', gap: space(4) });
const Closed = styled('p')(type.body);
const Note = styled('p')({ ...type.caption, color: color.muted });

const LABELS: Readonly<Record<ResourceKey, string>> = {
  used_cvms: 'CVM slots',
  used_vcpu: 'vCPU',
  used_memory_mb: 'Memory',
  used_disk_gb: 'Disk',
};

interface Props {
  parts: { key: ResourceKey; sums: Sums }[];
  hosts: readonly AdminTeepod[];
  /** Number of hosts summed, if not all. */
  first?: number;
}

/** Used and total capacity of the hosts that accept new CVMs, or why none does. */
export function Capacity({ parts, hosts, first }: Props) {
  const fullest = fullestOf(hosts);
  const excluded = excludedText(hosts);
  const closed = closedText(hosts);
  const recycled = recycledOf(hosts);
  return (
    <Panel title="Capacity" framed>
      <Bars>
        {closed === undefined ? (
          parts.map(({ key, sums }) => <Bar key={key} label={LABELS[key]} of={key} sums={sums} />)
        ) : (
          <Closed>No capacity for new CVMs: {closed}.</Closed>
        )}
        <Note>
          {first !== undefined && `First ${count(first)} hosts only. `}
          {excluded !== undefined && `${excluded} `}
          {closed === undefined && 'Includes capacity reserved for pending deployments.'}
          {recycled.cvms > 0 && (
            <>
              {' '}
              The recycle bin uses {recycled.cvms === 1
                ? '1 CVM slot'
                : `${recycled.cvms} CVM slots`} and{' '}
              {formatGb(recycled.disk_gb)} of disk.
            </>
          )}
          {fullest && (
            <>
              {' '}
              Most used: <TextLink href={adminHref.show('teepods', fullest.id)}>{fullest.name}</TextLink>.
            </>
          )}
        </Note>
      </Bars>
    </Panel>
  );
}

function Bar({ label, of, sums }: { label: string; of: ResourceKey; sums: Sums }) {
  const unit = of === 'used_memory_mb' ? 'megabytes' : of === 'used_disk_gb' ? 'gigabytes' : undefined;
  const figures = usageText(usageOf(unit === undefined ? {} : { unit }, sums.used, sums.max));
  return <CapacityBar label={label} used={sums.used} total={sums.max} unit="" figures={figures} />;
}
