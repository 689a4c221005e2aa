import styled from '@emotion/styled';
import type { AdminFinanceAction } from '../../../generated/api/types.gen';
import { exactUsd, parseMicros } from '../../../console/lib/billing/money';
import { KeyValue, type Fact as KeyValueFact } from '../../../console/ui/data/KeyValue';
import { Notice } from '../../../console/ui/feedback/Notice';
import { Panel } from '../../../console/ui/layout/Panel';
import { space } from '../../../console/ui/theme';
import type { AdminRecord } from '../../record';
import { Fact } from '../../schema/Fact';
import { describeForm } from '../../schema/forms';
import { ReferenceLink } from '../../schema/ReferenceLink';
import { findResource } from '../../schema/resources';
import { requestedFields, targetOf } from './requestedFields';
import { balanceChange, useTeamFunds } from './teamFunds';

const Notices = styled('div')({ display: 'grid', gap: space(3), marginTop: space(6) });

/** A finance action as named in the form that requested it, and who must decide. */
export function FinanceRequest({ record }: { record: AdminRecord }) {
  const action = record as unknown as AdminFinanceAction;
  const target = targetOf(action);
  const fields = requestedFields(action, describeForm);
  const facts: KeyValueFact[] = [
    ...(target === null
      ? []
      : [
          {
            label:
              findResource(target.resource)?.singular.replace(/^./, (first) => first.toUpperCase()) ?? '',
            value: <ReferenceLink reference={target.resource} id={target.id} />,
          },
        ]),
    ...fields.map(({ field, value }) => ({
      label: field.label,
      value: <Fact field={field} value={value} record={record} />,
    })),
  ];
  return (
    <>
      {action.state === 'pending' && (
        <Notices>
          <Waiting action={action} />
          {action.action === 'adjust_balance' && <Balance action={action} />}
        </Notices>
      )}
      {facts.length > 0 && (
        <Panel title="Request" framed>
          <KeyValue facts={facts} />
        </Panel>
      )}
    </>
  );
}

function Waiting({ action: { is_own, moved_before } }: { action: AdminFinanceAction }) {
  const who = is_own ? 'you' : 'the requester';
  return (
    <Notice tone="attention" title={is_own ? 'Waiting for another administrator' : 'Waiting for approval'}>
      {is_own && 'You requested it, so you can’t approve it. Reject it to withdraw it. '}
      {moved_before !== null && (parseMicros(moved_before) ?? 0) > 0
        ? `Together with the ${exactUsd(moved_before)} that ${who} moved in the previous 24 hours, it exceeds the approval limit.`
        : 'It exceeds the approval limit.'}
    </Notice>
  );
}

/** Previews the team's balance after an adjustment. */
function Balance({ action: { team_id, request } }: { action: AdminFinanceAction }) {
  const { data: funds } = useTeamFunds(team_id);
  const { amount } = JSON.parse(request) as { amount?: string };
  const change = funds && balanceChange(funds, amount);
  if (!change) return null;
  return (
    <Notice tone={change.warning === null ? 'neutral' : 'attention'} title={change.text}>
      {change.warning}
    </Notice>
  );
}
