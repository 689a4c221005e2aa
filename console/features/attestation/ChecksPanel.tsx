import styled from '@emotion/styled';
import type { Check, Report } from '../../lib/attestation/types';
import { formatDuration } from '../../lib/time/time';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { below, color, radius, space, type } from '../../ui/theme';
import { folded, groupName, lookOf, tally } from '../../ui/attestation/checkDisplay';

const List = styled('ul')({ border: `1px solid ${color.line}`, borderRadius: radius.panel });
const Item = styled('li')({
  display: 'grid',
  gridTemplateColumns: '170px minmax(0, 1fr)',
  gap: `${space(1)} ${space(4)}`,
  padding: `${space(3)} ${space(4)}`,
  '&:not(:last-of-type)': { borderBottom: `1px solid ${color.line}` },
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Name = styled('h3')({ ...type.body, fontWeight: 550, overflowWrap: 'anywhere' });
const Text = styled('p')({ ...type.small, maxWidth: '80ch', overflowWrap: 'anywhere' });
const Id = styled('code')({ ...type.mono, fontSize: 12, fontWeight: 400, color: color.muted });
const Quiet = styled('p')({ ...type.caption, color: color.muted, overflowWrap: 'anywhere' });

/** All checks, failures first. */
export function ChecksPanel({ report }: { report: Report }) {
  const { simulated } = report;
  return (
    <Panel title="Checks" subtitle={`${tally(report.checks, simulated)}. Failures are listed first.`}>
      <List aria-label="Checks">
        {folded(report.checks).map((checks) => (
          <CheckRow key={checks[0]?.id} checks={checks} simulated={simulated} />
        ))}
      </List>
    </Panel>
  );
}

function CheckRow({ checks, simulated }: { checks: readonly Check[]; simulated: boolean }) {
  const [first] = checks;
  if (!first) return null;
  const look = lookOf(first.state, simulated);
  const missing = first.state === 'skipped' && first.required;
  return (
    <Item data-check-state={first.state}>
      <div>
        <ToneChip quiet tone={missing ? 'attention' : look.tone} glyph={missing ? 'question' : look.glyph}>
          {missing ? 'Missing' : look.word}
        </ToneChip>
      </div>
      <div>
        {checks.map((check) => (
          <Name key={check.id} data-check={check.id}>
            {check.title} {checks.length > 1 && <Id>{check.id}</Id>}
          </Name>
        ))}
        <Text>{first.detail}</Text>
        {checks.length === 1 && <Source check={first} />}
      </div>
    </Item>
  );
}

function Source({ check: { id, group, inputs, trusted, age } }: { check: Check }) {
  return (
    <Quiet>
      {groupName(group)} · from {inputs.join(', ')}
      {trusted.length > 0 && ` · trusts ${trusted.join(', ')}`}
      {age !== undefined && ` · ${formatDuration(age)} old`} · <Id>{id}</Id>
    </Quiet>
  );
}
