import { PendingButton } from '../../ui/controls/PendingButton';
import styled from '@emotion/styled';
import type { CvmEvidence } from '../../../generated/api/types.gen';
import { summary } from '../../lib/attestation/summary';
import type { Report } from '../../lib/attestation/types';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { Glyph } from '../../ui/feedback/Glyph';
import { ToneChip, toneSoft, toneText } from '../../ui/feedback/ToneChip';
import { Answer, Box, Icon, Question, Text } from '../../ui/feedback/verdictStyles';
import { color, space, type } from '../../ui/theme';
import { sideNoteOf, tally, verdictLook } from '../../ui/attestation/checkDisplay';

const Ages = styled('p')({ ...type.small, color: color.muted, marginTop: space(1) });

const hatched = `repeating-linear-gradient(-45deg, ${color.simulatedSoft} 0 5px, ${color.simulatedHatch} 5px 10px)`;

interface Props {
  answer: CvmEvidence;
  report: Report;
  busy: boolean;
  onAgain: () => void;
}

/** The overall verdict, its limits and its age. */
export function VerdictPanel({ answer, report, busy, onAgain }: Props) {
  const isPast = answer.source === 'kept';
  const look = verdictLook(report, isPast);
  const { line } = summary(report);
  const note = sideNoteOf(report);
  return (
    <Box
      style={{ background: report.state === 'simulated' ? hatched : toneSoft(look.tone) }}
      data-state={report.state}
    >
      <Icon style={{ color: toneText(look.tone) }}>
        <Glyph name={look.glyph} />
      </Icon>
      <div role="status" aria-busy={busy}>
        <Question>Is {answer.name} running the expected code in a TEE?</Question>
        <Answer style={{ color: toneText(look.tone) }}>{look.word}</Answer>
        {note && (
          <ToneChip tone={note.tone} glyph={note.glyph}>
            {note.word}
          </ToneChip>
        )}
        <Text>{line}</Text>
        <Ages>
          {tally(report.checks, report.simulated)}. Checked in this browser {isPast ? 'as of' : ''}{' '}
          <RelativeTime at={report.verified_at * 1000} />
          {answer.source === 'guest' && (
            <>
              ; evidence collected <RelativeTime at={answer.collected_at} />
            </>
          )}
          {report.facts.fresh_until !== undefined && (
            <>
              ; valid until <RelativeTime at={report.facts.fresh_until} />
            </>
          )}
          .
        </Ages>
      </div>
      <PendingButton pending={busy} onClick={onAgain}>
        {busy ? 'Verifying…' : 'Verify again'}
      </PendingButton>
    </Box>
  );
}
