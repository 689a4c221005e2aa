import styled from '@emotion/styled';
import type { AdminFleet } from '../../../generated/api/types.gen';
import { LIVE_DRAIN } from '../../../console/lib/hosts/allowedActions';
import { count } from '../../../console/lib/texts/count';
import { searchText } from '../../../console/lib/texts/searchText';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { EmptyState } from '../../../console/ui/feedback/EmptyState';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { PageHeader } from '../../../console/ui/layout/PageHeader';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { space } from '../../../console/ui/theme';
import { Pager } from '../../../console/ui/data/Pager';
import { useCrumbs } from '../../frame/slots';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import { CreateButton } from '../../pages/CreateButton';
import { getResource } from '../../schema/resources';
import { pageOf } from '../searchAddress';
import { useSearchAddress } from '../useSearchAddress';
import { useFleetQuery } from './api';
import { MapFilters } from './MapFilters';
import { NodeCard } from './NodeCard';
import { regionName } from './regionName';
import { Regions } from './Regions';

const Grid = styled('ul')({
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 380px), 1fr))',
  gap: space(4),
  alignItems: 'start',
});
const Foot = styled('div')({ marginTop: space(4) });

const REFRESH_MS = 15_000;

/** The map filtered to nodes that need attention. */
const NEEDING = `${adminHref.home}/infra?attention=true`;

/** Teepods with the most drift first. */
const DRIFTED = `${adminHref.list('teepods')}?sort=drift&order=DESC`;

/** Nodes, teepods and GPUs with their load: totals for all regions, nodes page by page. */
export function InfraMap() {
  useCrumbs([{ label: 'Map' }]);
  const [params, go] = useSearchAddress();
  const page = pageOf(params);
  const asked = new URLSearchParams(params);
  asked.set('page', String(page));
  const q = searchText(params.get('q'), 100);
  if (q === undefined) asked.delete('q');
  else asked.set('q', q);
  const { data, error, refetch } = useFleetQuery<AdminFleet>(`/fleet?${asked.toString()}`, REFRESH_MS);
  const region = params.get('region');
  return (
    <>
      <PageHeader
        title="Infrastructure"
        subtitle="Nodes, teepods and GPUs with current usage."
        primary={<CreateButton resource={getResource('teepods')} />}
      />
      {error && <ErrorNotice problem={problemOf(error, 'Couldn’t load the fleet', () => void refetch())} />}
      {!data && !error && <PageSkeleton part label="Infrastructure" cards={2} rows={4} />}
      {data && (
        <>
          <Summary fleet={data} />
          <Regions
            regions={data.regions}
            total={data.region_count}
            chosen={region}
            choose={(next) => go({ region: next })}
          />
          <Panel
            title={region === null ? 'Nodes' : regionName(region)}
            subtitle={data.total === 1 ? '1 node' : `${count(data.total)} nodes`}
          >
            <MapFilters
              q={q}
              attention={params.get('attention') === 'true'}
              needing={data.attention}
              change={go}
            />
            {data.nodes.length === 0 ? (
              <EmptyState picture="hosts" title={data.regions.length === 0 ? 'No nodes yet' : 'No matches'}>
                {data.regions.length === 0 ? 'Add a node, then its teepod.' : 'No nodes match these filters.'}
              </EmptyState>
            ) : (
              <Grid>
                {data.nodes.map((node) => (
                  <NodeCard key={node.id} node={node} />
                ))}
              </Grid>
            )}
            <Foot>
              <Pager
                label="Nodes"
                paging={{
                  offset: (page - 1) * data.page_size,
                  total: data.total,
                  ...(page > 1 ? { previous: () => go({ page: String(page - 1) }) } : {}),
                  ...(page * data.page_size < data.total
                    ? { next: () => go({ page: String(page + 1) }) }
                    : {}),
                }}
                shown={data.nodes.length}
              />
            </Foot>
          </Panel>
        </>
      )}
    </>
  );
}

function Summary({ fleet: { sums, attention, drift, drains } }: { fleet: AdminFleet }) {
  const of = (used: number, max: number) => `${count(used)} of ${count(max)}`;
  return (
    <Panel title="Total" framed>
      <KeyValue
        facts={[
          { label: 'CVM slots', value: of(sums.used_cvms, sums.max_cvms) },
          { label: 'vCPU', value: of(sums.used_vcpu, sums.max_vcpu) },
          ...(sums.gpus === 0 ? [] : [{ label: 'GPUs', value: of(sums.used_gpus, sums.gpus) }]),
          ...(attention === 0
            ? []
            : [
                {
                  label: 'Needs attention',
                  value: (
                    <TextLink href={NEEDING}>
                      {attention === 1 ? '1 node' : `${count(attention)} nodes`}
                    </TextLink>
                  ),
                },
              ]),
          ...(drift === 0
            ? []
            : [
                {
                  label: 'Drift',
                  value: <TextLink href={DRIFTED}>{count(drift)}</TextLink>,
                },
              ]),
          ...(drains === 0
            ? []
            : [
                {
                  label: 'Draining hosts',
                  value: (
                    <TextLink href={adminHref.list('drains', { state: LIVE_DRAIN })}>
                      {count(drains)}
                    </TextLink>
                  ),
                },
              ]),
        ]}
      />
    </Panel>
  );
}
