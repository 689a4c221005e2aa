import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-admin';
import { useWatch } from 'react-hook-form';
import type { AdminDrainException, AdminDrainPlan, AdminDrainPlanCvm } from '../../generated/api/types.gen';
import { showText } from '../../console/lib/texts/allTexts';
import { count } from '../../console/lib/texts/count';
import { ErrorNotice } from '../../console/ui/feedback/ErrorNotice';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { controlStyle } from '../../console/ui/forms/Field';
import { below, color, radius, space, tabular, type } from '../../console/ui/theme';
import { fetchJson, problemOf } from '../http';
import type { ControlProps } from './Input';

type Action = AdminDrainException['action'];

const ACTIONS: Readonly<Record<Action, string>> = {
  move: 'Move, with an empty disk',
  stop: 'Stop',
  leave: 'Leave running',
};

const Section = styled('section')({ display: 'grid', gap: space(2), minWidth: 0 });
const Title = styled('h3')({ ...type.small, fontWeight: 550 });
const Sum = styled('p')({ ...type.small, ...tabular, color: color.muted });
const Scroll = styled('div')({
  maxHeight: 320,
  overflowY: 'auto',
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Table = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'collapse',
  '& th': { ...type.caption, textAlign: 'left', fontWeight: 550, color: color.muted },
  '& th, & td': { padding: `${space(1.5)} ${space(3)}`, verticalAlign: 'top' },
  '& tbody tr': { borderTop: `1px solid ${color.line}` },
  '& td': { overflowWrap: 'break-word', minWidth: 96 },
  // The team stands below the CVM, and the choice beside it keeps its place whatever the reason's length.
  [below.phone]: {
    tableLayout: 'fixed',
    '& [data-team]': { display: 'none' },
    '& th, & td': { padding: space(1.5) },
    '& select': { width: '100%', minWidth: 0, textOverflow: 'ellipsis' },
  },
});
const TeamBelow = styled('span')({ display: 'none', [below.phone]: { ...type.caption, display: 'block' } });
const Reason = styled('span')({ ...type.caption, display: 'block', color: color.muted });
const Select = styled('select')({ ...controlStyle, minHeight: 28, paddingBlock: 2 });

/** Reads the CVMs of the teepod whose page this is. */
const usePlan = (id: string) =>
  useQuery({
    queryKey: ['admin-drain-plan', id],
    queryFn: async ({ signal }) =>
      (await fetchJson(`/api/v1/admin/teepods/${encodeURIComponent(id)}/drain-plan`, { signal }))
        .json as AdminDrainPlan,
    staleTime: 0,
    retry: false,
  });

/** "3 CVMs: 1 to move, 1 to stop, 1 to leave running." */
function summaryOf(actions: readonly Action[]): string {
  const of = (action: Action) => actions.filter((one) => one === action).length;
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

/** Table of the CVMs on a teepod with what happens to each; choices that differ from the rule are kept. */
export function DrainPlanInput({ bound, raw, error: invalid }: ControlProps) {
  const { id = '' } = useParams();
  const { data, error, refetch } = usePlan(id);
  const [movable = 'move', others = 'stop'] = useWatch({ name: ['movable', 'others'] }) as Action[];
  const exceptions = (Array.isArray(raw) ? raw : []) as AdminDrainException[];
  if (error)
    return <ErrorNotice problem={problemOf(error, 'Couldn’t load the CVMs', () => void refetch())} />;
  if (!data) return <Bar w="60%" />;
  const ruleOf = ({ can_move }: AdminDrainPlanCvm) => (can_move ? movable : others);
  const actionOf = (cvm: AdminDrainPlanCvm) =>
    exceptions.find(({ vm_uuid }) => vm_uuid === cvm.vm_uuid)?.action ?? ruleOf(cvm);
  const choose = (cvm: AdminDrainPlanCvm, action: Action) => {
    const rest = exceptions.filter(({ vm_uuid }) => vm_uuid !== cvm.vm_uuid);
    bound.onChange(action === ruleOf(cvm) ? rest : [...rest, { vm_uuid: cvm.vm_uuid, action }]);
  };
  return (
    <Section aria-label="Affected CVMs" data-wide>
      <Title>Affected CVMs</Title>
      <Sum role="status">
        {data.total === 0 ? 'No CVMs on this teepod.' : summaryOf(data.cvms.map(actionOf))}
        {data.total > data.cvms.length &&
          ` Shows the first ${count(data.cvms.length)} of ${count(data.total)} CVMs; the others follow the rules below.`}
      </Sum>
      {invalid !== undefined && <Sum style={{ color: color.errorText }}>{invalid}</Sum>}
      {data.cvms.length > 0 && (
        <Scroll tabIndex={0} role="group" aria-label="CVMs">
          <Table>
            <thead>
              <tr>
                <th scope="col">CVM</th>
                <th scope="col" data-team>
                  Team
                </th>
                <th scope="col">What happens</th>
              </tr>
            </thead>
            <tbody>
              {data.cvms.map((cvm) => (
                <tr key={cvm.vm_uuid}>
                  <td>
                    {cvm.name}
                    <TeamBelow>{cvm.team_slug}</TeamBelow>
                    <Reason>{showText(cvm.reason_keys, cvm.reason)}</Reason>
                  </td>
                  <td data-team>{cvm.team_slug}</td>
                  <td>
                    <Select
                      aria-label={`What happens to ${cvm.name}`}
                      value={actionOf(cvm)}
                      onChange={({ target: { value } }) => choose(cvm, value as Action)}
                    >
                      {(Object.keys(ACTIONS) as Action[]).map((action) => (
                        <option key={action} value={action} disabled={action === 'move' && !cvm.can_move}>
                          {ACTIONS[action]}
                        </option>
                      ))}
                    </Select>
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Scroll>
      )}
    </Section>
  );
}
