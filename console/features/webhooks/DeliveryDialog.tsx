import styled from '@emotion/styled';
import type { WebhookDelivery } from '../../../generated/api/types.gen';
import { CodeBlock } from '../../ui/code/CodeBlock';
import { ActionButton } from '../../ui/controls/ActionButton';
import { CopyId } from '../../ui/data/CopyId';
import { KeyValue } from '../../ui/data/KeyValue';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Glyph } from '../../ui/feedback/Glyph';
import { DialogActions } from '../../ui/forms/DialogActions';
import { FormDialog } from '../../ui/forms/FormDialog';
import { color, space, tabular, type } from '../../ui/theme';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import { DeliveryState } from './DeliveryState';
import type { Resend } from './useResend';
import { describeAttempt, duration } from './texts';

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

interface Props {
  delivery: WebhookDelivery;
  resend: Resend;
  onClose: () => void;
}

/** One delivery with its attempts and payload. */
export function DeliveryDialog({ delivery, resend, onClose }: Props) {
  const { event, event_id, attempts, next_attempt_at, payload, test } = delivery;
  const reason = resend.reason(delivery);
  return (
    <FormDialog open wide onClose={onClose} title={`${event}${test ? ' (test)' : ''}`}>
      <KeyValue
        facts={[
          { label: 'Status', value: <DeliveryState delivery={delivery} /> },
          { label: 'ID', value: <CopyId id={event_id} what="event ID" most={24} /> },
          { label: 'Next attempt', value: <RelativeTime at={next_attempt_at} /> },
        ]}
      />
      {attempts.length > 0 && (
        <List aria-label="Attempts">
          {attempts.map((attempt) => {
            const taken = attempt.error === null;
            return (
              <Try key={attempt.at}>
                <Icon style={{ color: taken ? color.okText : color.errorText }}>
                  <Glyph name={taken ? 'check' : 'cross'} />
                  <VisuallyHidden>{taken ? 'Succeeded' : 'Failed'}</VisuallyHidden>
                </Icon>
                <span>{describeAttempt(attempt)}</span>
                <Aside>
                  <RelativeTime at={attempt.at} />, {duration(attempt.duration_ms)}
                </Aside>
              </Try>
            );
          })}
        </List>
      )}
      <CodeBlock code={JSON.stringify(payload, null, 2)} title="Payload" maxHeight={280} />
      {resend.problem && <ErrorNotice problem={resend.problem} />}
      <DialogActions onCancel={onClose} cancelLabel="Close">
        <ActionButton
          reason={reason}
          variant="contained"
          pending={resend.pending}
          onClick={() => resend.send(delivery)}
        >
          Resend
        </ActionButton>
      </DialogActions>
    </FormDialog>
  );
}
