import styled from '@emotion/styled';
import type { AdminTeepod } from '../../generated/api/types.gen';
import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import { CapacityBar } from '../../console/ui/data/Meter';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, space, type } from '../../console/ui/theme';
import { adminHref } from '../paths';
import { excludedText, fullestOf, recycledOf, type Sums } from './fleetCapacity';
import { ownValue } from '../../console/lib/ownValue';

const Bars = styled('div')({ display: 'grid', gap: space(4) });
const Note = styled('p')({ ...type.caption, color: color.muted });

const LABELS: Readonly<Record<string, string>> = {
  used_cvms: 'CVM slots',
  used_vcpu: 'vCPU',
  used_memory_mb: 'Memory',
  used_disk_gb: 'Disk',
};

interface Props {
  parts: { noun: string; key: string; sums: Sums }[];
  hosts: readonly AdminTeepod[];
  /** Number of hosts summed, if not all. */
  first?: number;
}

/** Used and total capacity of the hosts that accept new CVMs. */
export function Capacity({ parts, hosts, first }: Props) {
  const fullest = fullestOf(hosts);
  const excluded = excludedText(hosts);
  const recycled = recycledOf(hosts);
  return (
    <Panel title="Capacity" framed>
      <Bars>
        {parts.map(({ key, sums }) => (
          <Bar key={key} label={ownValue(LABELS, key) ?? key} of={key} sums={sums} />
        ))}
        <Note>
          {first !== undefined && `First ${first} hosts only. `}
          {excluded !== undefined && `${excluded} `}
          Includes capacity reserved for pending deployments.
          {recycled.cvms > 0 && (
            <>
              {' '}
              The recycle bin holds {recycled.cvms === 1
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

/** Shows both figures in one unit; memory and disk use the unit that suits the total. */
function Bar({ label, of, sums }: { label: string; of: string; sums: Sums }) {
  const unitOf = of.endsWith('_mb') ? formatMb : of.endsWith('_gb') ? formatGb : undefined;
  if (!unitOf) return <CapacityBar label={label} used={sums.used} total={sums.max} unit="" />;
  const [, unit = ''] = unitOf(sums.max).split(' ');
  const base = of.endsWith('_mb') ? ['MB', 'GB', 'TB', 'PB'] : ['GB', 'TB', 'PB'];
  const step = 1024 ** Math.max(0, base.indexOf(unit));
  const scaled = (n: number) => Math.round((n / step) * 10) / 10;
  return <CapacityBar label={label} used={scaled(sums.used)} total={scaled(sums.max)} unit={unit} />;
}
