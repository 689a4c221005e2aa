import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import styled from '@emotion/styled';
import type { Member, TeamRole } from '../../../../generated/api/types.gen';
import { roleName, rolesGivenBy } from '../../../api/roles';
import { Tip } from '../../../ui/controls/Tip';
import { controlStyle } from '../../../ui/forms/Field';
import { color, size } from '../../../ui/theme';
import { roleChangeProblem } from './roleChange';

const Box = styled('span')({
  position: 'relative',
  display: 'inline-flex',
  alignItems: 'center',
  '& svg': { position: 'absolute', right: 6, fontSize: 14, color: color.muted, pointerEvents: 'none' },
});
const Select = styled('select')({
  ...controlStyle,
  width: 112,
  height: size.controlSmall,
  appearance: 'none',
  paddingRight: 24,
});
const Fixed = styled('span')({ color: color.text, cursor: 'default' });

interface Props {
  member: Member;
  mine: TeamRole;
  onPick: (role: TeamRole) => void;
}

/**
 * Role picker, or plain text with the reason if the role can't be changed. The caller confirms a pick before
 * saving.
 */
export function RoleSelect({ member, mine, onPick }: Props) {
  const fault = roleChangeProblem(member, mine);
  if (fault !== null)
    return (
      <Tip text={fault}>
        <Fixed tabIndex={0}>{roleName(member.role)}</Fixed>
      </Tip>
    );
  return (
    <Box>
      <Select
        aria-label={`Role of ${member.username}`}
        value={member.role}
        onChange={(event) => onPick(event.target.value as TeamRole)}
      >
        {rolesGivenBy(mine).map((role) => (
          <option key={role} value={role}>
            {roleName(role)}
          </option>
        ))}
      </Select>
      <ChevronsUpDownIcon aria-hidden />
    </Box>
  );
}
