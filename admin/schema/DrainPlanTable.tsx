import styled from '@emotion/styled';
import type { AdminDrainException, AdminDrainPlanCvm } from '../../generated/api/types.gen';
import { showText } from '../../console/lib/texts/allTexts';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { controlStyle } from '../../console/ui/forms/Field';
import { below, color, radius, size, space, type } from '../../console/ui/theme';

export type DrainAction = AdminDrainException['action'];

const ACTIONS: Readonly<Record<DrainAction, string>> = {
  move: 'Move, with an empty disk',
  stop: 'Stop',
  leave: 'Leave running',
};

const Scroll = styled('div')({
  maxHeight: 'min(320px, 50dvh)',
  overflowY: 'auto',
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
});
const Table = styled('table')({
  ...type.small,
  width: '100%',
  tableLayout: 'fixed',
  borderCollapse: 'collapse',
  '& th': { ...type.caption, textAlign: 'left', fontWeight: 550, color: color.muted },
  '& th, & td': { padding: `${space(1.5)} ${space(3)}`, verticalAlign: 'top' },
  '& th:nth-of-type(2)': { width: '22%' },
  '& th:nth-of-type(3)': { width: '30%' },
  '& tbody tr': { borderTop: `1px solid ${color.line}` },
  '& td': { overflowWrap: 'anywhere' },
  // Stacked: each choice names its CVM, so the header can be omitted.
  [below.phone]: {
    display: 'block',
    '& thead': { display: 'none' },
    '& tbody, & td': { display: 'block' },
    '& tbody tr': { display: 'grid', gap: space(1), padding: `${space(1.5)} ${space(3)}` },
    '& tbody tr:first-of-type': { borderTop: 0 },
    '& td': { padding: 0 },
  },
});
const Reason = styled('span')({ ...type.caption, display: 'block', color: color.muted });
const Slug = styled(Reason)({
  [below.phone]: { display: 'inline', '&::before': { content: '" · "' } },
});
const Select = styled('select')({
  ...controlStyle,
  height: size.controlSmall,
  paddingBlock: 2,
  textOverflow: 'ellipsis',
});
/** As tall as a row's name and a reason that often wraps. */
const NameBar = styled('span')({ display: 'grid', alignContent: 'start', gap: space(2), height: 44 });
const TeamBar = styled('span')({ display: 'grid', alignContent: 'center', height: 20 });

interface Props {
  /** Undefined while loading. */
  cvms: readonly AdminDrainPlanCvm[] | undefined;
  /** Number of rows to reserve space for while loading. */
  expected: number;
  actionOf: (cvm: AdminDrainPlanCvm) => DrainAction;
  onChoose: (cvm: AdminDrainPlanCvm, action: DrainAction) => void;
}

/** What a drain does with each CVM; takes about the same space while loading. */
export function DrainPlanTable({ cvms, expected, actionOf, onChoose }: Props) {
  return (
    <Scroll tabIndex={0} role="group" aria-label="CVMs" aria-busy={cvms === undefined}>
      <Table>
        <thead>
          <tr>
            <th scope="col">CVM</th>
            <th scope="col">Team</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {cvms === undefined
            ? Array.from({ length: expected }, (_, row) => (
                <tr key={row} aria-hidden>
                  <td>
                    <NameBar>
                      <Bar w="40%" />
                      <Bar w="70%" />
                    </NameBar>
                  </td>
                  <td>
                    <TeamBar>
                      <Bar w="60%" />
                    </TeamBar>
                  </td>
                  <td>
                    <Bar h={28} />
                  </td>
                </tr>
              ))
            : cvms.map((cvm) => (
                <tr key={cvm.vm_uuid}>
                  <td>
                    {cvm.name}
                    <Reason>{showText(cvm.reason_keys, cvm.reason)}</Reason>
                  </td>
                  <td>
                    {cvm.team_name}
                    <Slug>{cvm.team_slug}</Slug>
                  </td>
                  <td>
                    <Select
                      aria-label={`Action for ${cvm.name}`}
                      value={actionOf(cvm)}
                      onChange={({ target: { value } }) => onChoose(cvm, value as DrainAction)}
                    >
                      {(Object.keys(ACTIONS) as DrainAction[]).map((action) => (
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
  );
}
