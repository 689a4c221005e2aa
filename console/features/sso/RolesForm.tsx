import AddRounded from '@mui/icons-material/AddRounded';
import CloseRounded from '@mui/icons-material/CloseRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useRef, useState } from 'react';
import type { SsoConnection, SsoRoleRule } from '../../../generated/api/types.gen';
import { problemOf } from '../../api/problem';
import { IconAction } from '../../ui/controls/IconAction';
import { fieldProblem } from '../../ui/feedback/problem';
import { useToast } from '../../ui/feedback/toasts';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { below, color, space, type } from '../../ui/theme';
import { asPut, SSO_ROLES } from './ssoState';
import { useSave } from './useSave';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Rules = styled('div')({ display: 'grid', gap: space(2) });
const Rule = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(120px, 180px) 32px',
  gap: space(2),
  alignItems: 'end',
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr) 110px 32px' },
});

const MOST = 50;

interface Row extends SsoRoleRule {
  key: number;
}

/** Which value of which claim gives which role. */
export function RolesForm({ slug, connection }: { slug: string; connection: SsoConnection }) {
  const next = useRef(connection.role_rules.length);
  const [role, setRole] = useState(connection.default_role);
  const [claim, setClaim] = useState(connection.role_claim ?? '');
  const [rules, setRules] = useState<Row[]>(() =>
    connection.role_rules.map((rule, key) => ({ ...rule, key })),
  );
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const save = useSave(slug, () => toast({ tone: 'ok', title: 'The roles are kept' }));
  const problem = problemOf(save.error, 'The roles were not kept');

  const used = rules.filter(({ value }) => value.trim() !== '');
  const claimError =
    tried && used.length > 0 && claim.trim() === ''
      ? 'Say in which claim the values are found, often “groups” or “roles”.'
      : fieldProblem(problem, 'role_claim');
  const change = (key: number, part: Partial<SsoRoleRule>) =>
    setRules(rules.map((rule) => (rule.key === key ? { ...rule, ...part } : rule)));
  const add = () => {
    setRules([...rules, { key: next.current, value: '', role: 'member' }]);
    next.current += 1;
  };
  const submit = () => {
    setTried(true);
    if (used.length > 0 && claim.trim() === '') return;
    save.mutate({
      ...asPut(connection),
      default_role: role,
      role_claim: claim.trim() === '' ? null : claim.trim(),
      role_rules: used.map(({ value, role: given }) => ({ value: value.trim(), role: given })),
    });
  };

  return (
    <>
      <Text>
        Whoever signs in for the first time becomes a member with this role. At every later sign-in the role
        is brought in step, for members the provider brought; roles that people gave, and owners, stay as they
        are.
      </Text>
      <FormShell
        aria-label="Roles from the provider"
        error={problem}
        pending={save.isPending}
        onSubmit={submit}
        submitLabel="Save roles"
        pendingLabel="Saving…"
        secondary={
          rules.length < MOST ? (
            <Button startIcon={<AddRounded />} onClick={add}>
              Add a rule
            </Button>
          ) : undefined
        }
      >
        <SelectInput
          label="Role without a rule"
          choices={SSO_ROLES}
          value={role}
          onChange={(event) => setRole(event.target.value as SsoRoleRule['role'])}
        />
        {(rules.length > 0 || claim !== '') && (
          <TextInput
            label="Claim"
            mono
            optional
            value={claim}
            maxLength={100}
            placeholder="groups"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setClaim(event.target.value)}
            help="Where the provider says what somebody is. Dots lead into nested claims, as in realm_access.roles."
            error={claimError}
          />
        )}
        {rules.length > 0 && (
          <Rules role="group" aria-label="Rules, the first that fits counts">
            {rules.map((rule, i) => (
              <Rule key={rule.key}>
                <TextInput
                  label={`Value ${i + 1}`}
                  mono
                  value={rule.value}
                  maxLength={200}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => change(rule.key, { value: event.target.value })}
                />
                <SelectInput
                  label={`Role ${i + 1}`}
                  choices={SSO_ROLES}
                  value={rule.role}
                  onChange={(event) => change(rule.key, { role: event.target.value as SsoRoleRule['role'] })}
                />
                <IconAction
                  label={`Remove rule ${i + 1}`}
                  onClick={() => setRules(rules.filter(({ key }) => key !== rule.key))}
                >
                  <CloseRounded />
                </IconAction>
              </Rule>
            ))}
          </Rules>
        )}
      </FormShell>
    </>
  );
}
