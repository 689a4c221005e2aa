import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { ShutButton } from '../../ui/controls/ShutButton';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Glyph } from '../../ui/feedback/Glyph';
import { FormDialog } from '../../ui/forms/FormDialog';
import { color, space, tabular, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { DeliveryState } from './DeliveryState';
import type { Resend } from './useResend';
import { attemptInWords, duration } from './words';

const List = styled('ol')({ display: 'grid' });
const Try = styled('li')({
  ...type.body,
  display: 'grid',
  gridTemplateColumns: '16px minmax(0, 1fr) auto',
  columnGap: space(2.5),
  padding: `${space(1.5)} 0`,
  borderBottom: `1px solid ${color.line}`,
  '&:last-of-type': { borderBottom: 0 },
});
const Icon = styled('span')({ display: 'inline-flex', height: 20, alignItems: 'center', fontSize: 14 });
const Aside = styled('span')({ ...type.small, ...tabular, color: color.muted, textAlign: 'right' });
const Row = styled('div')({ display: 'flex', justifyContent: 'flex-end', gap: space(2) });

interface Props {
  delivery: WebhookDelivery;
  resend: Resend;
  onClose: () => void;
}

/** One delivery: every try, and what was sent. */
export function DeliveryDialog({ delivery, resend, onClose }: Props) {
  const { event, event_id, attempts, next_attempt_at, payload, test } = delivery;
  const reason = resend.reason(delivery);
  return (
    <FormDialog open wide onClose={onClose} title={`${event}${test ? ' (test)' : ''}`}>
      <KeyValue
        facts={[
          { label: 'State', value: <DeliveryState delivery={delivery} /> },
          { label: 'Id', value: <CopyId id={event_id} what="event id" most={24} /> },
          { label: 'Next try', value: <RelativeTime at={next_attempt_at} /> },
        ]}
      />
      {attempts.length > 0 && (
        <List aria-label="Tries">
          {attempts.map((attempt) => {
            const taken = attempt.error === null;
            return (
              <Try key={attempt.at}>
                <Icon style={{ color: taken ? color.okText : color.errorText }}>
                  <Glyph name={taken ? 'check' : 'cross'} />
                  <VisuallyHidden>{taken ? 'Taken' : 'Failed'}</VisuallyHidden>
                </Icon>
                <span>{attemptInWords(attempt)}</span>
                <Aside>
                  <RelativeTime at={attempt.at} />, {duration(attempt.duration_ms)}
                </Aside>
              </Try>
            );
          })}
        </List>
      )}
      <CodeBlock code={JSON.stringify(payload, null, 2)} title="What was sent" maxHeight={280} />
      {resend.problem && <ErrorNotice problem={resend.problem} />}
      <Row>
        {reason === undefined ? (
          <Button disabled={resend.pending} onClick={() => resend.send(delivery)}>
            Send again
          </Button>
        ) : (
          <ShutButton reason={reason}>Send again</ShutButton>
        )}
        <Button variant="contained" color="primary" onClick={onClose}>
          Close
        </Button>
      </Row>
    </FormDialog>
  );
}
