import { LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import { useGetList } from 'react-admin';
import type { AdminNode, AdminTeepod } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { ToneChip } from '../../console/ui/feedback/ToneChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { below, color, space, tabular, type } from '../../console/ui/theme';
import { adminHref } from '../paths';

const Rows = styled('dl')({
  display: 'grid',
  flex: 1,
  alignContent: 'space-between',
  gap: space(3),
  '& > div': {
    display: 'grid',
    gridTemplateColumns: '136px minmax(0, 1fr)',
    gap: space(3),
    alignItems: 'center',
  },
  [below.phone]: { '& > div': { gridTemplateColumns: 'minmax(0, 1fr)', gap: space(1) } },
});
const Term = styled('dt')({ ...type.small, color: color.muted, whiteSpace: 'nowrap' });
const Chips = styled('dd')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: `${space(2)} ${space(4)}`,
});
const Figure = styled('span')({
  ...type.body,
  ...tabular,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
});
const None = styled('span')({ ...type.small, color: color.muted });

/** Counts by state, each linking to the filtered list. */
export function Fleet({
  nodes,
  teepods,
  seesCvms,
  addsTeepods,
  every,
  first,
}: {
  nodes: readonly AdminNode[];
  teepods: readonly AdminTeepod[];
  /** Whether the user may list CVMs. */
  seesCvms: boolean;
  addsTeepods: boolean;
  /** Interval for counting CVMs, in milliseconds. */
  every: number;
  /** Number of hosts counted, if not all. */
  first?: number;
}) {
  const reachable = teepods.filter((teepod) => teepod.reachable).length;
  return (
    <Panel
      title="Fleet"
      {...(first === undefined ? {} : { subtitle: `First ${count(first)} hosts only.` })}
      framed
      actions={
        addsTeepods && (
          <LinkButton size="small" href={adminHref.create('teepods')}>
            Add teepod
          </LinkButton>
        )
      }
    >
      <Rows>
        <div>
          <Term>Nodes</Term>
          <States resource="nodes" states={nodes.map((node) => node.state)} />
        </div>
        <div>
          <Term>Teepods, desired</Term>
          <States resource="teepods" states={teepods.map((teepod) => teepod.state)} />
        </div>
        <div>
          <Term>Teepods, observed</Term>
          <Chips>
            <Part
              href={adminHref.list('teepods', { reachable: true })}
              n={reachable}
              label="Reachable"
              tone="ok"
              glyph="check"
            />
            <Part
              href={adminHref.list('teepods', { reachable: false })}
              n={teepods.length - reachable}
              label="Unreachable"
              tone={reachable < teepods.length ? 'error' : 'neutral'}
              glyph={reachable < teepods.length ? 'cross' : 'dot'}
            />
          </Chips>
        </div>
        {seesCvms && <Cvms every={every} />}
      </Rows>
    </Panel>
  );
}

/** Returns the number of CVMs in these states, across all teams. */
function useCount(status: readonly string[], every: number): number | undefined {
  const { total } = useGetList(
    'cvms',
    {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'created_at', order: 'DESC' },
      filter: { status },
    },
    { refetchInterval: every, onError: () => undefined },
  );
  return total;
}

const TROUBLED = ['error', 'lost'];

function Cvms({ every }: { every: number }) {
  const counts = [
    { n: useCount(['running'], every), status: ['running'], label: 'Running', tone: 'ok', glyph: 'check' },
    { n: useCount(['stopped'], every), status: ['stopped'], label: 'Stopped', tone: 'neutral', glyph: 'dot' },
    { n: useCount(TROUBLED, every), status: TROUBLED, label: 'Error or lost', tone: 'error', glyph: 'cross' },
  ] as const;
  return (
    <div>
      <Term>CVMs</Term>
      <Chips>
        {counts.map(({ n, status, label, tone, glyph }) => (
          <Part
            key={label}
            href={adminHref.list('cvms', { status })}
            n={n}
            label={label}
            tone={n === 0 ? 'neutral' : tone}
            glyph={n === 0 ? 'dot' : glyph}
          />
        ))}
      </Chips>
    </div>
  );
}

function Part({
  href,
  n,
  label,
  tone,
  glyph,
}: {
  href: string;
  /** Undefined while loading. */
  n: number | undefined;
  label: string;
  tone: 'ok' | 'error' | 'neutral';
  glyph: 'check' | 'cross' | 'dot';
}) {
  return (
    <Figure>
      <ToneChip tone={tone} glyph={glyph}>
        {label}
      </ToneChip>
      <TextLink href={href} aria-label={`${n === undefined ? '' : count(n)} ${label.toLowerCase()}`.trim()}>
        {n === undefined ? '…' : count(n)}
      </TextLink>
    </Figure>
  );
}

function States({ resource, states }: { resource: string; states: readonly string[] }) {
  const counts = new Map<string, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  if (counts.size === 0)
    return (
      <Chips>
        <None>None yet.</None>
      </Chips>
    );
  return (
    <Chips>
      {[...counts].map(([state, n]) => (
        <Figure key={state}>
          <StatusChip status={state} />
          <TextLink href={adminHref.list(resource, { state })} aria-label={`${count(n)} ${state}`}>
            {count(n)}
          </TextLink>
        </Figure>
      ))}
    </Chips>
  );
}
