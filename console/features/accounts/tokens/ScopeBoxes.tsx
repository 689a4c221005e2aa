import styled from '@emotion/styled';
import type { TeamRole, TokenScope } from '../../../../generated/api/types.gen';
import { roleName } from '../../../api/roles';
import { describeScope, scopeName, scopeUse, TOKEN_SCOPES } from '../../../api/scopes';
import { CheckboxInput } from '../../../ui/forms/SwitchInput';
import { FieldGroup } from '../../../ui/forms/Field';
import { space } from '../../../ui/theme';

const List = styled('div')({ display: 'grid', gap: space(2.5) });

interface Props {
  role: TeamRole;
  value: readonly TokenScope[];
  onChange: (scopes: readonly TokenScope[]) => void;
  error?: string | undefined;
}

/** Scope checkboxes, each with the permissions that the owner's role lacks. */
export function ScopeBoxes({ role, value, onChange, error }: Props) {
  const all = value.includes('*');
  const toggle = (scope: TokenScope, on: boolean) => {
    if (scope === '*') onChange(on ? ['*'] : []);
    else onChange(on ? [...value, scope] : value.filter((other) => other !== scope));
  };
  return (
    <FieldGroup label="Scopes" error={error}>
      <List>
        {TOKEN_SCOPES.map((scope) => {
          const { usable, lacking } = scopeUse(scope, role);
          const covered = all && scope !== '*';
          return (
            <CheckboxInput
              key={scope}
              // The scope's identifier is part of the label, for users who search for it.
              label={`${scopeName(scope)} (${scope})`}
              checked={value.includes(scope) || covered}
              disabled={!usable || covered}
              onChange={(event) => toggle(scope, event.target.checked)}
              help={helpOf(scope, role, usable, lacking)}
            />
          );
        })}
      </List>
    </FieldGroup>
  );
}

function helpOf(scope: TokenScope, role: TeamRole, usable: boolean, lacking: readonly string[]): string {
  if (!usable) return `Your role (${roleName(role).toLowerCase()}) doesn’t include: ${lacking.join(' ')}`;
  const words = `${describeScope(scope)}.`;
  return lacking.length === 0 ? words : `${words} Excluded by your role: ${lacking.join(' ')}`;
}
