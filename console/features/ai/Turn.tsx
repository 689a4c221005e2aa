import styled from '@emotion/styled';
import { counted } from '../../lib/texts/count';
import { color, radius, space, type } from '../../ui/theme';
import { ReceiptChecks } from './ReceiptChecks';
import type { ShownTurn } from './usePlayground';

const Item = styled('li')({
  display: 'grid',
  gap: space(1),
  padding: `${space(3)} ${space(4)}`,
  borderRadius: radius.panel,
  border: `1px solid ${color.line}`,
  '&[data-role=user]': { backgroundColor: color.sunken },
});
const Who = styled('strong')({ ...type.caption, color: color.muted });
const Text = styled('p')({ ...type.body, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' });
const Facts = styled('p')({ ...type.caption, color: color.muted });

/** A message or an answer. */
export function Turn({ turn }: { turn: ShownTurn }) {
  const { role, content, usage, is_stopped, receipt } = turn;
  return (
    <Item data-role={role}>
      <Who>{role === 'user' ? 'You' : 'Model'}</Who>
      <Text>{content}</Text>
      {is_stopped === true && <Facts>Stopped.</Facts>}
      {usage && (
        <Facts>
          {counted(usage.input_tokens, ['input token', 'input tokens'])},{' '}
          {counted(usage.output_tokens, ['output token', 'output tokens'])}
        </Facts>
      )}
      {typeof receipt === 'string' && <Facts>{receipt}</Facts>}
      {typeof receipt === 'object' && <ReceiptChecks checks={receipt} />}
    </Item>
  );
}
