import { styled } from '@mui/material/styles';
import type { Check, Report } from '../../../lib/attestation/types';
import { formatDuration } from '../../../lib/time';
import { ToneChip } from '../../../ui/feedback/StatusChip';
import { Panel } from '../../../ui/layout/Panel';
import { below, color, radius, space, type } from '../../../ui/theme';
import { byWeight, groupName, lookOf, tally } from './looks';

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
const Quiet = styled('p')({ ...type.caption, color: color.muted, overflowWrap: 'anywhere' });

/** Every check by name, what is wrong first. */
export function ChecksPanel({ report }: { report: Report }) {
  const simulated = report.state === 'simulated';
  return (
    <Panel title="Checks" subtitle={`${tally(report.checks, simulated)}. What failed comes first.`}>
      <List aria-label="Checks">
        {byWeight(report.checks).map((check) => (
          <CheckRow key={check.id} check={check} simulated={simulated} />
        ))}
      </List>
    </Panel>
  );
}

function CheckRow({ check, simulated }: { check: Check; simulated: boolean }) {
  const look = lookOf(check.state, simulated);
  const missing = check.state === 'skipped' && check.required;
  return (
    <Item data-check={check.id} data-check-state={check.state}>
      <div>
        <ToneChip quiet tone={missing ? 'attention' : look.tone} glyph={missing ? 'question' : look.glyph}>
          {missing ? 'Missing' : look.word}
        </ToneChip>
      </div>
      <div>
        <Name>{check.title}</Name>
        <Text>{check.detail}</Text>
        <Quiet>
          {groupName(check.group)} · from {check.inputs.join(', ')}
          {check.trusted.length > 0 && ` · trusting ${check.trusted.join(', ')}`}
          {check.age !== undefined && ` · ${formatDuration(check.age)} old`} · <code>{check.id}</code>
        </Quiet>
      </div>
    </Item>
  );
}
