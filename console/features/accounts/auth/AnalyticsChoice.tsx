import { Suspense } from 'react';
import { useAnalyticsChoice } from '../../../api/useAnalyticsChoice';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

/** Few servers collect analytics, so the box doesn't burden every sign-in page. */
const CheckboxInput = lazyWithRetry(() =>
  import('../../../ui/forms/SwitchInput').then((m) => ({ default: m.CheckboxInput })),
);

const LABEL = 'Share usage analytics';

/** Lets this device opt out of usage analytics. Renders nothing if the server collects none. */
export function AnalyticsChoice() {
  const choice = useAnalyticsChoice();
  if (!choice) return null;
  if (choice.isRefusedByBrowser) return <span>Usage analytics off (browser setting)</span>;
  return (
    <Suspense fallback={<span>{LABEL}</span>}>
      <CheckboxInput
        label={LABEL}
        checked={choice.isAllowed}
        onChange={({ target }) => choice.setAllowed(target.checked)}
      />
    </Suspense>
  );
}
