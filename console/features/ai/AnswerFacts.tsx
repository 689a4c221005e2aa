import styled from '@emotion/styled';
import { counted } from '../../lib/texts/count';
import { color, type } from '../../ui/theme';
import { ReceiptChecks } from './ReceiptChecks';
import type { ShownTurn } from './usePlayground';

const Line = styled('p')({ ...type.caption, color: color.muted });

/** What is known about an answer of a model; nothing about a message. */
export function AnswerFacts({ turn: { usage, is_stopped, receipt } }: { turn: ShownTurn }) {
  return (
    <>
      {is_stopped === true && <Line>Stopped.</Line>}
      {usage && (
        <Line>
          {counted(usage.input_tokens, ['input token', 'input tokens'])},{' '}
          {counted(usage.output_tokens, ['output token', 'output tokens'])}
        </Line>
      )}
      {typeof receipt === 'string' && <Line>{receipt}</Line>}
      {typeof receipt === 'object' && <ReceiptChecks checks={receipt} />}
    </>
  );
}
