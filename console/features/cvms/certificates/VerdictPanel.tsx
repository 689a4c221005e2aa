import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { CvmEvidence } from '../../../../generated/api/types.gen';
import { summary } from '../../../lib/attestation/summary';
import type { Report } from '../../../lib/attestation/types';
import { Spinner } from '../../../ui/controls/Spinner';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { Glyph } from '../../../ui/feedback/Glyph';
import { toneSoft, toneText } from '../../../ui/feedback/StatusChip';
import { below, color, radius, space, type } from '../../../ui/theme';
import { STATES, tally } from './looks';

const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: '20px minmax(0, 1fr) auto',
  gap: `${space(1)} ${space(3)}`,
  alignItems: 'start',
  padding: space(4),
  borderRadius: radius.panel,
  '& > button': { alignSelf: 'center' },
  [below.phone]: {
    gridTemplateColumns: '20px minmax(0, 1fr)',
    '& > button': { gridColumn: 2, justifySelf: 'start', marginTop: space(2) },
  },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 18 });
const Question = styled('h2')({ ...type.caption, color: color.muted, fontWeight: 500 });
const Answer = styled('p')({ ...type.heading });
const Text = styled('p')({ ...type.body, maxWidth: '72ch', overflowWrap: 'anywhere' });
const Ages = styled('p')({ ...type.small, color: color.muted, marginTop: space(1) });

const hatched = `repeating-linear-gradient(-45deg, ${color.simulatedSoft} 0 5px, ${color.simulatedHatch} 5px 10px)`;

interface Props {
  answer: CvmEvidence;
  report: Report;
  busy: boolean;
  onAgain: () => void;
}

/** The one answer, as far as it goes, and how old it is. */
export function VerdictPanel({ answer, report, busy, onAgain }: Props) {
  const look = STATES[report.state];
  const { line } = summary(report);
  const simulated = report.state === 'simulated';
  return (
    <Box style={{ background: simulated ? hatched : toneSoft(look.tone) }} data-state={report.state}>
      <Icon style={{ color: toneText(look.tone) }}>
        <Glyph name={look.glyph} />
      </Icon>
      <div role="status" aria-busy={busy}>
        <Question>Does {answer.name} run what it should, where nobody can look in?</Question>
        <Answer style={{ color: toneText(look.tone) }}>{look.word}</Answer>
        <Text>{line}</Text>
        <Ages>
          {tally(report.checks, simulated)}. Checked in this browser {answer.source === 'kept' ? 'as of' : ''}{' '}
          <RelativeTime at={report.verified_at * 1000} />
          {answer.source === 'guest' && (
            <>
              ; the guest gave the evidence <RelativeTime at={answer.collected_at} />
            </>
          )}
          {report.facts.fresh_until !== undefined && (
            <>
              ; good until <RelativeTime at={report.facts.fresh_until} />
            </>
          )}
          .
        </Ages>
      </div>
      <Button variant="outlined" disabled={busy} startIcon={busy ? <Spinner /> : undefined} onClick={onAgain}>
        {busy ? 'Verifying…' : 'Verify again'}
      </Button>
    </Box>
  );
}
