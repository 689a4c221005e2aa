import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { Button } from '../../../ui/controls/Button';
import styled from '@emotion/styled';
import { useState } from 'react';
import type { SsoRoleRule, SsoSettings } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { conflictReason } from '../../../api/versions';
import { IconAction } from '../../../ui/controls/IconAction';
import { focusBefore } from '../../../ui/focusBefore';
import { fieldProblem } from '../../../ui/feedback/problem';
import { useToast } from '../../../ui/feedback/toasts';
import { FormConflict } from '../../../ui/forms/FormConflict';
import { FormShell } from '../../../ui/forms/FormShell';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextInput } from '../../../ui/forms/TextInput';
import { below, color, space, type } from '../../../ui/theme';
import { PUT_LABELS, describeRules, roleFaults, SSO_ROLES } from './ssoState';
import { useSave, useSsoForm } from './useSave';

const Text = styled('p')({ ...type.body, color: color.muted, maxWidth: '72ch' });
const Rules = styled('div')({ display: 'grid', gap: space(2) });
const Rule = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) minmax(120px, 180px) 32px',
  gap: space(2),
  // The button is beside the inputs, below their labels, also when one of them has an error.
  '& button': { marginTop: `calc(${type.small.lineHeight} + ${space(1.5)})` },
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr) 110px 32px' },
});

const MAX_RULES = 50;

/** Maps claim values to roles. */
export function RolesForm({ slug, settings }: { slug: string; settings: SsoSettings }) {
  const form = useSsoForm(slug, settings);
  const { default_role: role, role_rules: rules } = form.values;
  const claim = form.values.role_claim ?? '';
  const setRules = (role_rules: SsoRoleRule[]) => form.edit({ role_rules });
  const [tried, setTried] = useState(false);
  const toast = useToast();
  const save = useSave(slug, form.send, () => {
    form.reset();
    toast({ tone: 'ok', title: 'Roles saved' });
  });
  const problem = problemOf(save.error, 'Couldn’t save the roles');

  const faults = roleFaults(form.values);
  const claimError =
    tried && faults.claim
      ? 'Enter the claim that contains the values, often “groups” or “roles”.'
      : fieldProblem(problem, 'role_claim');
  const change = (at: number, part: Partial<SsoRoleRule>) =>
    setRules(rules.map((rule, i) => (i === at ? { ...rule, ...part } : rule)));
  const add = () => setRules([...rules, { value: '', role: 'member' }]);
  const submit = () => {
    setTried(true);
    if (faults.claim || faults.rules.includes(true)) return;
    save.mutate({
      ...form.values,
      role_claim: claim.trim() === '' ? null : claim.trim(),
      role_rules: rules.map(({ value, role: given }) => ({ value: value.trim(), role: given })),
    });
  };

  return (
    <>
      <Text>
        New members get this role at their first sign-in. Later sign-ins update the role of members who joined
        through the provider. Manually set roles and owners don’t change.
      </Text>
      <FormConflict form={form} labels={PUT_LABELS} show={{ role_rules: describeRules }} />
      <FormShell
        aria-label="Roles from the provider"
        error={problem}
        fields={['role_claim', ...rules.map((_, i) => `role_rules.${i}.value`)]}
        pending={save.isPending}
        onSubmit={submit}
        submitLabel="Save roles"
        pendingLabel="Saving…"
        {...(form.conflict ? { blockedReason: conflictReason(form) ?? '' } : {})}
        secondary={
          rules.length < MAX_RULES ? (
            <Button startIcon={<PlusIcon />} onClick={add}>
              Add a rule
            </Button>
          ) : undefined
        }
      >
        <SelectInput
          label="Default role"
          choices={SSO_ROLES}
          value={role}
          onChange={(event) => form.edit({ default_role: event.target.value as SsoRoleRule['role'] })}
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
            onChange={(event) => form.edit({ role_claim: event.target.value })}
            help="The claim that lists a user’s groups or roles. Use dots for nested claims, as in realm_access.roles."
            error={claimError}
          />
        )}
        {rules.length > 0 && (
          <Rules role="group" aria-label="Rules, first match wins">
            {rules.map((rule, i) => (
              <Rule key={i} data-rule>
                <TextInput
                  label={`Value ${i + 1}`}
                  mono
                  value={rule.value}
                  maxLength={200}
                  autoComplete="off"
                  spellCheck={false}
                  onChange={(event) => change(i, { value: event.target.value })}
                  error={
                    tried && faults.rules[i]
                      ? 'Enter a value, or remove the rule.'
                      : fieldProblem(problem, `role_rules.${i}.value`)
                  }
                />
                <SelectInput
                  label={`Role ${i + 1}`}
                  choices={SSO_ROLES}
                  value={rule.role}
                  onChange={(event) => change(i, { role: event.target.value as SsoRoleRule['role'] })}
                />
                <IconAction
                  label={`Remove rule ${i + 1}`}
                  onClick={({ currentTarget }) => {
                    // The last row disappears with its focused button; the buttons of others move up.
                    if (i === rules.length - 1)
                      focusBefore(currentTarget.closest('[data-rule]') ?? currentTarget);
                    setRules(rules.filter((_, at) => at !== i));
                  }}
                >
                  <XIcon />
                </IconAction>
              </Rule>
            ))}
          </Rules>
        )}
      </FormShell>
    </>
  );
}
