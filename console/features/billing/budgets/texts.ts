import type { Budget, BudgetAction, BudgetPeriod } from '../../../../generated/api/types.gen';
import type { Choice } from '../../../ui/forms/SelectInput';

export const periodTexts: Readonly<Record<BudgetPeriod, string>> = {
  day: 'Per day',
  week: 'Per week',
  month: 'Per month',
};

export const actionTexts: Readonly<Record<BudgetAction, string>> = {
  notify: 'Notify',
  refuse: 'Refuse new CVMs',
  stop: 'Stop CVMs',
};

export const actionHelp: Readonly<Record<BudgetAction, string>> = {
  notify: 'Members who manage billing are notified. Nothing is stopped.',
  refuse:
    'CVMs can’t be deployed, replicated or restored until the budget is raised or its next period starts. A team budget also refuses orders that cost more than what’s left.',
  stop: 'Running CVMs are stopped, except those covered by a reservation. Their disks are kept and still billed. No CVM can be started until the budget is raised or its next period starts. A team budget also refuses paid AI requests, and orders that cost more than what’s left.',
};

export const scopeOf = ({ app }: Pick<Budget, 'app'>): string => app?.name ?? 'the team';

/**
 * Returns the possible scopes of a budget. While apps load, it says so: otherwise it would look like a team without
 * apps.
 */
export function scopeChoices(
  apps: readonly { app_id: string; name: string }[] | undefined,
  isError: boolean,
): Choice[] {
  const group = 'Apps';
  const missing = isError ? 'Couldn’t load the apps' : 'Loading apps…';
  return [
    { value: '', label: 'The team' },
    ...(apps?.map(({ app_id, name }) => ({ value: app_id, label: name, group })) ?? [
      { value: 'missing', label: missing, group, disabled: true },
    ]),
  ];
}

/** Returns percentages such as "50, 80" in ascending order; null if the text contains anything else. */
export function parseAlerts(text: string): number[] | null {
  const parts = text
    .split(/[\s,;]+/)
    .map((part) => part.replace(/%$/, ''))
    .filter((part) => part !== '');
  const alerts = [...new Set(parts.map(Number))].toSorted((a, b) => a - b);
  const isValid = (alert: number) => Number.isInteger(alert) && alert >= 1 && alert <= 200;
  return alerts.length >= 1 && alerts.length <= 5 && alerts.every(isValid) ? alerts : null;
}
