import { LinkButton } from '../../console/ui/controls/Button';
import styled from '@emotion/styled';
import type { AdminNode, AdminTeepod } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { StatusChip, ToneChip } from '../../console/ui/feedback/StatusChip';
import { Panel } from '../../console/ui/layout/Panel';
import { TextLink } from '../../console/ui/link';
import { color, space, tabular, type } from '../../console/ui/theme';
import { adminHref } from '../paths';

const Rows = styled('dl')({ display: 'grid', gap: space(5) });
const Term = styled('dt')({
  ...type.small,
  fontWeight: 550,
  marginBottom: space(2),
});
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
export function Fleet({ nodes, teepods }: { nodes: readonly AdminNode[]; teepods: readonly AdminTeepod[] }) {
  const reachable = teepods.filter((teepod) => teepod.reachable).length;
  return (
    <Panel
      title="Fleet"
      framed
      actions={
        <LinkButton size="small" href={adminHref.create('teepods')}>
          Add teepod
        </LinkButton>
      }
    >
      <Rows>
        <div>
          <Term>Nodes</Term>
          <States resource="nodes" states={nodes.map((node) => node.state)} />
        </div>
        <div>
          <Term>Teepods, desired state</Term>
          <States resource="teepods" states={teepods.map((teepod) => teepod.state)} />
        </div>
        <div>
          <Term>Teepods, observed state</Term>
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
      </Rows>
    </Panel>
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
  n: number;
  label: string;
  tone: 'ok' | 'error' | 'neutral';
  glyph: 'check' | 'cross' | 'dot';
}) {
  return (
    <Figure>
      <ToneChip tone={tone} glyph={glyph}>
        {label}
      </ToneChip>
      <TextLink href={href} aria-label={`${count(n)} ${label.toLowerCase()}`}>
        {count(n)}
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
