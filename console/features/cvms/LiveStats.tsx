import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SystemInfo } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { formatBytes } from '../../lib/cvms/sizes';
import { formatDuration } from '../../lib/time/time';
import { Sparkline } from '../../ui/charts/Sparkline';
import { CapacityBar } from '../../ui/data/Meter';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { color, space, tabular, type } from '../../ui/theme';
import { useCvm, useCvmAddress } from './address';
import { isUp } from './cvmState';
import { statsOptions } from './queries';

const Grid = styled('div')({
  display: 'grid',
  gap: `${space(5)} ${space(8)}`,
  alignItems: 'start',
  gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 220px), 1fr))',
});
const Load = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'flex-end',
  justifyContent: 'space-between',
  gap: space(3),
});
const Figure = styled('p')({ ...type.body, ...tabular });
const Sub = styled('p')({ ...type.small, ...tabular, color: color.muted });

const MB = 1024 * 1024;
const GB = 1024 * MB;
const tenths = (n: number) => Math.round(n * 10) / 10;
const SAMPLES = 60;

/** Load, memory and disk as reported by the guest (not attested), every 5 seconds while the page is visible. */
export function LiveStats() {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const { simulated } = cvm;
  const up = isUp(cvm);
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    ...statsOptions(teamSlug, vmUuid, up),
    enabled: up,
  });
  const loads = useSamples(data?.sysinfo?.loadavg_one ?? null, dataUpdatedAt);
  if (!up) return null;
  const problem = loadProblem({ data, error, refetch }, 'Couldn’t load resource usage');
  return (
    <Panel
      title="Load"
      subtitle={
        simulated
          ? 'The host’s figures, as containers are simulated. Reported every 5 s; not attested.'
          : 'Reported by the guest every 5 s; not attested.'
      }
    >
      {problem ? (
        <ErrorNotice problem={problem} />
      ) : !data ? (
        <CardSkeleton lines={3} />
      ) : data.sysinfo === null ? (
        <Sub>{data.error ?? 'No data yet'}</Sub>
      ) : (
        <Stats info={data.sysinfo} loads={loads} local={cvm.trust === 'simulated'} simulated={simulated} />
      )}
    </Panel>
  );
}

interface StatsProps {
  info: SystemInfo;
  loads: readonly number[];
  /** CVMs on the local teepod share one machine, so the load is the whole machine's. */
  local: boolean;
  /** Without containers, so are memory and disk. */
  simulated: boolean;
}

export function Stats({ info, loads, local, simulated }: StatsProps) {
  const one = info.loadavg_one / 100;
  const disk =
    info.disks.find(({ mount_point }) => mount_point === '/' || mount_point === '/data') ?? info.disks[0];
  return (
    <Grid>
      <Load>
        <div>
          <Sub>{local ? 'CPU load of the host, 1 min' : 'CPU load, 1 min'}</Sub>
          <Figure>
            {one.toFixed(2)} of {info.num_cpus} {local ? 'CPUs' : 'vCPU'}
          </Figure>
          <Sub>
            {(info.loadavg_five / 100).toFixed(2)} · {(info.loadavg_fifteen / 100).toFixed(2)} (5, 15 min)
          </Sub>
        </div>
        <Sparkline
          values={loads.map((load) => load / 100)}
          max={Math.max(info.num_cpus, ...loads.map((load) => load / 100))}
          label={`CPU load since this page opened, currently ${one.toFixed(2)}`}
        />
      </Load>
      <CapacityBar
        label={simulated ? 'Memory of the host' : 'Memory'}
        used={Math.ceil(info.used_memory / MB)}
        total={Math.round(info.total_memory / MB)}
        unit="MB"
      />
      {disk && (
        <CapacityBar
          label={simulated ? 'Disk of the host' : `Disk ${disk.mount_point}`}
          used={tenths((disk.total_size - disk.free_size) / GB)}
          total={tenths(disk.total_size / GB)}
          unit="GB"
        />
      )}
      <div>
        <Sub>{simulated ? 'Host' : 'Guest'}</Sub>
        <Figure>
          {info.os_name} {info.os_version}
        </Figure>
        <Sub>
          {simulated ? 'CVM up' : 'up'} {formatDuration(info.uptime)}
          {info.total_swap > 0
            ? ` · swap ${formatBytes(info.used_swap)} of ${formatBytes(info.total_swap)}`
            : ''}
        </Sub>
      </div>
    </Grid>
  );
}

/** Recent samples, kept while the page is open. */
function useSamples(value: number | null, at: number): readonly number[] {
  const [kept, setKept] = useState<{ at: number; values: number[] }>({ at: 0, values: [] });
  if (value !== null && at !== kept.at) setKept({ at, values: [...kept.values, value].slice(-SAMPLES) });
  return kept.values;
}
