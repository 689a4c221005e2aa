import styled from '@emotion/styled';
import { color, space, type } from '../../../ui/theme';

const List = styled('ul')({
  display: 'grid',
  gap: space(2),
  ...type.body,
  paddingLeft: space(4),
  listStyle: 'disc',
  '& > li::marker': { color: color.control },
});

/** The rules that buyers agree to. */
export function OrderRules({ rules }: { rules: readonly string[] }) {
  return (
    <List aria-label="Rules">
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </List>
  );
}
