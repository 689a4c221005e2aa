import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useGetOne, useParams } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { AdminDrainException, AdminDrainPlan, AdminDrainPlanCvm } from '../../generated/api/types.gen';
import { count } from '../../console/lib/texts/count';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { below, color, space, tabular, type } from '../../console/ui/theme';
import { fetchJson, problemOf } from '../http';
import type { AdminRecord } from '../record';
import { DrainPlanTable, type DrainAction } from './DrainPlanTable';
import type { ControlProps } from './Input';

/** Rows to reserve while the number of CVMs is unknown. */
const ROWS_UNKNOWN = 2;
/** Maximum visible rows; more of them scroll. */
const MAX_ROWS = 5;

const Section = styled('section')({ display: 'grid', gap: space(2), minWidth: 0 });
const Title = styled('h3')({ ...type.small, fontWeight: 550 });
const Sum = styled('p')({
  ...type.small,
  ...tabular,
  color: color.muted,
  // Two lines, the usual height of the sum there.
  [below.phone]: { minHeight: 40 },
});

/** Loads the CVMs of the current page's teepod. */
const usePlan = (id: string) =>
  useQuery({
    queryKey: ['admin-drain-plan', id],
    queryFn: async ({ signal }) =>
      (await fetchJson(`/api/v1/admin/teepods/${encodeURIComponent(id)}/drain-plan`, { signal }))
        .json as AdminDrainPlan,
    staleTime: 0,
    retry: false,
  });

/**
 * Returns the plan's likely number of rows. The host's page already has the counts, which include capacity reserved
 * for a deployment.
 */
export function expectedRows(teepod: AdminRecord | undefined): number {
  const used = teepod?.used_cvms;
  if (typeof used !== 'number') return ROWS_UNKNOWN;
  return Math.min(Math.max(used - Number(teepod?.recycled_cvms ?? 0), 0), MAX_ROWS);
}

/** "3 CVMs: 1 to move, 1 to stop, 1 to leave running." */
function summaryOf(actions: readonly DrainAction[]): string {
  const of = (action: DrainAction) => actions.filter((one) => one === action).length;
  const part = (n: number, what: string) => (n === 0 ? [] : [`${count(n)} ${what}`]);
  const parts = [
    ...part(of('move'), 'to move'),
    ...part(of('stop'), 'to stop'),
    ...part(of('leave'), 'to leave running'),
  ];
  const total = actions.length === 1 ? '1 CVM' : `${count(actions.length)} CVMs`;
  const blocked = of('leave') > 0 ? ' The drain can’t finish while a CVM keeps running.' : '';
  return `${total}: ${parts.join(', ')}.${blocked}`;
}

/** Table of a teepod's CVMs with what happens to each; choices that differ from the rule are kept. */
export function DrainPlanInput({ bound, raw, error: invalid }: ControlProps) {
  const { id = '' } = useParams();
  const { data, error, refetch } = usePlan(id);
  const { data: teepod } = useGetOne<AdminRecord>('teepods', { id }, { enabled: false });
  const [movable = 'move', others = 'stop'] = useWatch({ name: ['movable', 'others'] }) as DrainAction[];
  const exceptions = (Array.isArray(raw) ? raw : []) as AdminDrainException[];
  if (error)
    return <ErrorNotice problem={problemOf(error, 'Couldn’t load the CVMs', () => void refetch())} />;
  const ruleOf = ({ can_move }: AdminDrainPlanCvm) => (can_move ? movable : others);
  const actionOf = (cvm: AdminDrainPlanCvm) =>
    exceptions.find(({ vm_uuid }) => vm_uuid === cvm.vm_uuid)?.action ?? ruleOf(cvm);
  const choose = (cvm: AdminDrainPlanCvm, action: DrainAction) => {
    const rest = exceptions.filter(({ vm_uuid }) => vm_uuid !== cvm.vm_uuid);
    bound.onChange(action === ruleOf(cvm) ? rest : [...rest, { vm_uuid: cvm.vm_uuid, action }]);
  };
  const expected = expectedRows(teepod);
  return (
    <Section aria-label="Affected CVMs" data-wide>
      <Title>Affected CVMs</Title>
      <Sum role="status">{data === undefined ? 'Loading CVMs…' : sumOf(data, data.cvms.map(actionOf))}</Sum>
      {invalid !== undefined && <Sum style={{ color: color.errorText }}>{invalid}</Sum>}
      {(data?.cvms.length ?? expected) > 0 && (
        <DrainPlanTable cvms={data?.cvms} expected={expected} actionOf={actionOf} onChoose={choose} />
      )}
    </Section>
  );
}

function sumOf({ total, cvms }: AdminDrainPlan, actions: readonly DrainAction[]): string {
  if (total === 0) return 'No CVMs on this teepod.';
  const rest =
    total > cvms.length
      ? ` Shows the first ${count(cvms.length)} of ${count(total)} CVMs; the others follow the rules below.`
      : '';
  return `${summaryOf(actions)}${rest}`;
}
