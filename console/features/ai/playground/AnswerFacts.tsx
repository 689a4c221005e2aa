import styled from '@emotion/styled';
import { exactUsd } from '../../../lib/billing/money';
import { counted } from '../../../lib/texts/count';
import { color, type } from '../../../ui/theme';
import { ReceiptChecks } from './ReceiptChecks';
import type { ShownTurn } from './usePlayground';

const Line = styled('p')({ ...type.caption, color: color.muted });

/** Facts about a model's answer. Renders nothing for a user's message. */
export function AnswerFacts({ turn: { usage, record, is_stopped, receipt } }: { turn: ShownTurn }) {
  const tokens = record ?? usage;
  return (
    <>
      {is_stopped === true && <Line>Stopped.</Line>}
      {tokens && (
        <Line>
          {counted(tokens.input_tokens, ['input token', 'input tokens'])},{' '}
          {counted(tokens.output_tokens, ['output token', 'output tokens'])}
          {record?.is_estimated === true && ' (estimated)'}
          {record && `, ${exactUsd(record.cost)}`}
        </Line>
      )}
      {typeof receipt === 'string' && <Line>{receipt}</Line>}
      {typeof receipt === 'object' && <ReceiptChecks checks={receipt} />}
    </>
  );
}
