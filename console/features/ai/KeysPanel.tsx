import { roundedUsd } from '../../lib/billing/money';
import PlusIcon from 'lucide-react/icons/plus';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AiKey } from '../../../generated/api/types.gen';
import { loadProblem } from '../../api/problem';
import { useMay } from '../../api/session';
import { ActionButton } from '../../ui/controls/ActionButton';
import { Cost } from '../../ui/data/Cost';
import { DataTable, type Column } from '../../ui/data/DataTable';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { ToneChip } from '../../ui/feedback/ToneChip';
import { Panel } from '../../ui/layout/Panel';
import { CreateKeyDialog, EditKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './KeyDialogs';
import { endOf, isUsedUp } from './keyState';
import { keysOptions } from './queries';
import { counted } from '../../lib/texts/count';

const limits = ({ requests_per_minute, tokens_per_minute }: AiKey): string => {
  const parts = [
    requests_per_minute === null ? null : `${counted(requests_per_minute, ['request', 'requests'])}/min`,
    tokens_per_minute === null ? null : `${counted(tokens_per_minute, ['token', 'tokens'])}/min`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'None' : parts.join(', ');
};

const columnsOf = (isOn: boolean): Column<AiKey>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  {
    id: 'state',
    header: 'Status',
    width: 150,
    phone: 'end',
    cell: (key) => {
      const end = endOf(key);
      if (end === null && !isOn)
        return (
          <ToneChip quiet tone="attention" glyph="warning">
            API off
          </ToneChip>
        );
      if (end === null && isUsedUp(key))
        return (
          <ToneChip quiet tone="attention" glyph="warning">
            Budget used up
          </ToneChip>
        );
      if (end === null)
        return (
          <ToneChip quiet tone="ok" glyph="check">
            Active
          </ToneChip>
        );
      return (
        <ToneChip quiet tone="neutral" glyph="archived">
          {end === 'revoked' ? 'Revoked' : 'Expired'}
        </ToneChip>
      );
    },
  },
  {
    id: 'budget',
    header: 'Budget',
    width: 200,
    phone: 'meta',
    labelled: true,
    cell: ({ budget, budget_used, budget_period }) =>
      budget === null ? (
        'None'
      ) : (
        <span>
          <Cost usd={roundedUsd(budget_used)} /> of <Cost usd={budget} /> per {budget_period}
        </span>
      ),
  },
  { id: 'hint', header: 'Key', width: 176, phone: 'meta', cell: ({ hint }) => <code>{hint}</code> },
  { id: 'limits', header: 'Limits', priority: 2, phone: 'hide', cell: limits },
  {
    id: 'used',
    header: 'Last used',
    width: 120,
    phone: 'meta',
    cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : <RelativeTime at={last_used_at} />),
  },
  {
    id: 'expires',
    header: 'Expires',
    width: 120,
    priority: 2,
    phone: 'hide',
    cell: ({ expires_at }) => (expires_at === null ? 'Never' : <RelativeTime at={expires_at} />),
  },
];

type Opened = { kind: 'edit' | 'rotate' | 'revoke'; aiKey: AiKey } | { kind: 'create' } | null;

/** The team's gateway keys. @param isOn whether the AI API is on for the team */
export function KeysPanel({ teamSlug, isOn }: { teamSlug: string; isOn: boolean }) {
  const { data, error, refetch } = useQuery(keysOptions(teamSlug));
  const may = useMay('ai.write', teamSlug);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const create = (
    <ActionButton
      variant="contained"
      startIcon={<PlusIcon />}
      reason={may.reason}
      onClick={() => setOpened({ kind: 'create' })}
    >
      Create key
    </ActionButton>
  );
  const actions = (row: AiKey) => {
    const ended = endOf(row);
    const disabled = may.allowed
      ? ended === null
        ? {}
        : { disabledReason: `The key ${ended === 'revoked' ? 'was revoked' : 'has expired'}` }
      : { disabledReason: may.reason ?? '' };
    const entry = (kind: 'edit' | 'rotate' | 'revoke', label: string) => ({
      id: kind,
      label,
      ...(kind === 'revoke' ? { danger: true } : {}),
      ...disabled,
      onSelect: () => setOpened({ kind, aiKey: row }),
    });
    return [entry('edit', 'Change'), entry('rotate', 'Rotate'), entry('revoke', 'Revoke')];
  };
  return (
    <Panel
      title="Keys"
      subtitle="Create one per program, so you can limit, track and revoke each."
      actions={data !== undefined && data.length > 0 && create}
    >
      <DataTable
        id="ai-keys"
        noun={['key', 'keys']}
        columns={columnsOf(isOn)}
        rows={data}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowActions={actions}
        skeletonRows={3}
        problem={loadProblem({ data, error, refetch }, 'Couldn’t load the keys')}
        empty={
          <EmptyState
            picture="tokens"
            title={isOn ? 'Create a key to enable the API' : 'No AI keys yet'}
            action={create}
          >
            A key lets a program send requests to the gateway, and limits and tracks its usage.
          </EmptyState>
        }
      />
      {opened?.kind === 'create' && <CreateKeyDialog teamSlug={teamSlug} onClose={close} />}
      {opened?.kind === 'edit' && <EditKeyDialog teamSlug={teamSlug} aiKey={opened.aiKey} onClose={close} />}
      {opened?.kind === 'rotate' && (
        <RotateKeyDialog teamSlug={teamSlug} aiKey={opened.aiKey} onClose={close} />
      )}
      {opened?.kind === 'revoke' && (
        <RevokeKeyDialog teamSlug={teamSlug} aiKey={opened.aiKey} onClose={close} />
      )}
    </Panel>
  );
}
